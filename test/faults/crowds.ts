// Faults caused by people: too many of them, and too slow ones.
import { connect, type Socket } from 'node:net'
import { measure, pause, type Running } from '../load/product.ts'

export const crowds = [
  {
    name: 'slow-clients',
    expected: '1200 clients send a letter a second, of a head or of a body, or read nothing: the others are answered as before',
    async run({ app }: { app: Running }) {
      const ask = () => measure({ port: app.port, connections: 8, seconds: 3, requests: [{ path: '/prod-api/business/region/tree' }] })
      const before = await ask()
      const slow: Socket[] = []
      const beginnings = [
        'GET /prod-api/business/region/tree HTTP/1.1\r\nhost: x\r\nx-slow: ',
        'POST /prod-api/business/leasingDemand HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{',
        'GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(20),
      ]
      for (let n = 0; n < 1200; n++) {
        const socket = connect(app.port, '127.0.0.1')
        socket.on('error', () => undefined)
        socket.write(beginnings[n % 3] ?? '')
        if (n % 3 === 2) socket.pause()
        slow.push(socket)
      }
      const timer = setInterval(() => slow.forEach((socket) => socket.writable && socket.write('a')), 1000)
      await pause(1000)
      const during = await ask()
      clearInterval(timer)
      for (const socket of slow) socket.destroy()
      return {
        seen: `p99 ${before.p99.toFixed(0)} ms before, ${during.p99.toFixed(0)} ms during, answers ${JSON.stringify(during.answers)}`,
        held: during.p99 < Math.max(250, before.p99 * 5) && Object.keys(during.answers).join() === '200',
      }
    },
  },
  {
    name: 'overload',
    expected: 'ten times more callers than it can serve: each gets an answer or 503 at once, and afterwards all is as before',
    async run({ app }: { app: Running }) {
      // Each call differs, so that no answer comes from the cache.
      const requests = Array.from({ length: 50_000 }, (_, at) => ({
        path: `/prod-api/business/equipment/firstPageList?beginPrice=${at / 100}&pageSize=50`,
      }))
      const ask = (connections: number) => measure({ port: app.port, connections, seconds: 5, requests })
      const usual = await ask(100)
      const much = await ask(1000)
      const after = await ask(100)
      const kinds = Object.keys(much.answers).toSorted().join()
      return {
        seen: `usual ${usual.rate.toFixed(0)}/s p99 ${usual.p99.toFixed(0)} ms; ten times: ${JSON.stringify(much.answers)} p99 ${much.p99.toFixed(0)} ms; afterwards ${after.rate.toFixed(0)}/s; ${app.memoryMb().toFixed(0)} MB`,
        held: ['200', '200,503'].includes(kinds) && Boolean(much.answers['200']) && after.rate > usual.rate * 0.7,
      }
    },
  },
]
