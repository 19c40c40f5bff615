import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Services } from '../services.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Prometheus at /metrics, for who brings METRICS_TOKEN as a bearer token; without that setting there is none. Counted by call, never by
 * address or person.
 */
export function metrics(server: FastifyInstance, { config, pool, hub, answerCache }: Services): void {
  const { metricsToken } = config
  if (!metricsToken) return
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const took = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by call, method and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  gauge('database_connections', 'Connections of the pool', () => pool.totalCount)
  gauge('database_connections_idle', 'Of them idle', () => pool.idleCount)
  gauge('database_waiting', 'Requests that wait for a connection', () => pool.waitingCount)
  gauge('websocket_connections', 'Open websockets', () => hub.size)
  registry.registerMetric(
    new Counter({
      name: 'http_cached_answers_total',
      help: 'Answers to visitors that were sent again before the framework ran; the requests above are without them',
      registers: [],
      collect() {
        this.reset()
        this.inc(answerCache.sentAtOnce)
      },
    }),
  )

  server.addHook('onResponse', (request, reply, done) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: `${String(reply.statusCode)[0]}xx` }
    took.observe(labels, reply.elapsedTime / 1000)
    done()
  })
  const wanted = digest(`Bearer ${metricsToken}`)
  server.get('/metrics', async (request, reply) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), wanted)) return reply.code(401).send({ code: 401, msg: 'metrics' })
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
