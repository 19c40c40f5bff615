import { createServer, type Server, type Socket } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openWorld } from '#test/world.ts'
import { readConfig } from '../config.ts'
import { clamdScan, scannerAddress, type ScannerAddress } from './scanner.ts'

const folder = mkdtempSync(join(tmpdir(), 'zhujitong-clamd-'))
/** The signature that every scanner knows for tests, in two parts so that none finds it here. */
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

type Way = 'right' | 'silent' | 'closing' | 'strange' | 'small' | 'endless'
let way: Way = 'right'
const scanned: Buffer[] = []
const sockets = new Set<Socket>()

/** A small clamd: understands zINSTREAM and finds the test signature. */
function daemon(): Server {
  return createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    let got = Buffer.alloc(0)
    if (way === 'closing') return void socket.destroy()
    socket.on('data', (chunk) => {
      got = Buffer.concat([got, chunk])
      if (way === 'endless') return void socket.write('a'.repeat(5000))
      if (way === 'small' && got.length > 100_000) return void socket.end('INSTREAM size limit exceeded. ERROR\0')
      const content = way === 'silent' ? null : streamed(got)
      if (!content) return
      if (way === 'strange') return void socket.end('stream: perhaps\0')
      scanned.push(content)
      socket.end(content.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
    })
  })
}

/** The content of a stream, or null before its end. */
function streamed(got: Buffer): Buffer | null {
  const command = 'zINSTREAM\0'
  const chunks: Buffer[] = []
  for (let at = command.length; at + 4 <= got.length;) {
    const length = got.readUInt32BE(at)
    if (length === 0) return got.toString('latin1', 0, command.length) === command ? Buffer.concat(chunks) : null
    chunks.push(got.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return null
}

const servers: Server[] = []
async function listening(address: { path: string } | { host: string; port: number }): Promise<ScannerAddress> {
  const server = daemon()
  servers.push(server)
  await new Promise<void>((done) => {
    server.listen(address, done)
  })
  const bound = server.address()
  return typeof bound === 'string' || bound === null ? { path: String(bound) } : { host: '127.0.0.1', port: bound.port }
}
const addresses = {
  socket: await listening({ path: join(folder, 'clamd.ctl') }),
  port: await listening({ host: '127.0.0.1', port: 0 }),
}
const said: string[] = []
const world = await openWorld()
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true, force: true })
  await world.close()
})
beforeEach(() => {
  way = 'right'
  said.length = 0
})

describe.each(Object.entries(addresses))('clamd behind a %s', (_, address) => {
  const scan = (content: Buffer, timeoutMs?: number) => clamdScan(address, (line) => said.push(line), timeoutMs)(content)

  test('lets clean files through whole, in chunks, and finds the infected', async () => {
    const long = Buffer.alloc(1_000_000, 'abc')
    for (const content of [Buffer.alloc(0), Buffer.from('clean'), long]) await scan(content)
    expect(scanned.slice(-3).map((content) => content.length)).toEqual([0, 5, 1_000_000])
    expect(scanned.at(-1)?.equals(long)).toBe(true)
    await expect(scan(Buffer.concat([long, Buffer.from(eicar)]))).rejects.toMatchObject({ code: 'file_infected' })
    expect(said).toEqual([])
  })

  test.each<Way>(['silent', 'closing', 'strange', 'small', 'endless'])(
    'a daemon that is %s lets nothing through, and says so to the operator',
    async (wrong) => {
      way = wrong
      await expect(scan(Buffer.alloc(1_000_000), 500)).rejects.toMatchObject({ code: 'file_unchecked' })
      expect(said).toHaveLength(1)
    },
  )
})

test('a daemon that is not there lets nothing through', async () => {
  for (const address of [{ path: join(folder, 'nobody') }, { host: '127.0.0.1', port: 1 }])
    await expect(clamdScan(address, () => undefined, 300)(Buffer.from('a'))).rejects.toMatchObject({ code: 'file_unchecked' })
})

test('its address is read from the settings, and another text is refused at the start', () => {
  expect(scannerAddress('unix:/run/clamav/clamd.ctl')).toEqual({ path: '/run/clamav/clamd.ctl' })
  expect(scannerAddress('tcp://clamav:3310')).toEqual({ host: 'clamav', port: 3310 })
  expect(scannerAddress('tcp://[::1]:3310')).toEqual({ host: '::1', port: 3310 })
  expect(readConfig({ CLAMAV: 'tcp://clamav:3310' }).scanner).toEqual({ host: 'clamav', port: 3310 })
  for (const wrong of ['clamav:3310', 'tcp://clamav', 'http://clamav:3310', 'unix:'])
    expect(() => readConfig({ CLAMAV: wrong })).toThrow('CLAMAV must be where clamd listens')
})

test('every call that takes a file scans it first', async () => {
  const uploads = world.api.routes.filter(({ endpoint }) => endpoint.upload)
  expect(uploads.length).toBeGreaterThan(2)
  // The app reads its services when a request comes.
  Object.assign(world.services, { scan: clamdScan(addresses.port, () => undefined) })
  const head = '--a\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
  const by: Record<string, string | null> = {
    account: world.cast.project.token,
    'equipment:edit': world.cast.lessor.token,
    'contract:edit': world.cast.project.token,
    'article:edit': world.cast.operator.token,
  }
  for (const { endpoint } of uploads) {
    const answer = await world.server.inject({
      method: endpoint.method,
      url: `/prod-api${endpoint.url}`,
      headers: { 'content-type': 'multipart/form-data; boundary=a', authorization: by[endpoint.access] ?? '' },
      payload: `${head}${eicar}\r\n--a--\r\n`,
    })
    expect(answer.json(), endpoint.url).toMatchObject({ code: 422, msg: '文件中发现病毒，未保存' })
  }
})
