import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { addDays } from '#shared/calendar.ts'
import { mainParam } from '#shared/main-param.ts'
import { getCategoryTree } from '#shared/category/contract.ts'
import { getPublicDemand } from '#shared/demand/contract.ts'
import type { Answered, Call, Endpoint } from '#shared/endpoint.ts'
import { getPublicEquipment } from '#shared/equipment/contract.ts'
import { sizeOf } from '#shared/equipment/size.ts'
import type { Api } from '../api.ts'
import { Refusal } from '../http/refusal.ts'
import { runInReader } from '../reader/reader.ts'
import { drawSheet, symbolsOf, type Sheet } from './picture.ts'

/** Pictures are about 30 KB: four megabytes in all. */
const heldPictures = 128
const daySeconds = 86_400

/** Answers a call as a visitor gets it, so a picture can show nothing else. */
type AsVisitor = <E extends Endpoint>(endpoint: E, input: Call<E>) => Promise<Answered<E>>

/**
 * Serves the pictures that stand for a page where somebody shares its address: `/share/site.png`, `/share/machine/<id>.png` and
 * `/share/demand/<id>.png`.
 */
export function serveSharingPictures(server: FastifyInstance, { client, api }: { client: string; api: Api }): void {
  const folder = join(client, 'assets')
  const file = readdirSync(folder).find((name) => /^drawings-.*\.svg$/.test(name))
  const symbols = symbolsOf(file ? readFileSync(join(folder, file), 'utf8') : '')
  const pictures = new LRUCache<string, Promise<Uint8Array>>({ max: heldPictures })
  const draw = (sheet: Sheet): Promise<Uint8Array> => {
    const svg = drawSheet(symbols, sheet)
    const held = pictures.get(svg)
    if (held) return held
    const drawing = runInReader<Uint8Array>({ kind: 'drawing', svg })
    pictures.set(svg, drawing)
    drawing.catch(() => pictures.delete(svg))
    return drawing
  }
  server.get<{ Params: { '*': string } }>(
    '/share/*',
    { config: { rateLimit: { max: 120, timeWindow: '1 minute' } } },
    async (request, reply) => {
      const call: AsVisitor = async (endpoint, input) => {
        const route = api.routeOf(endpoint)
        if (!route) throw new Error(`no such call: ${endpoint.url}`)
        const visitor = {
          actor: null,
          hadToken: false,
          token: null,
          address: request.ip,
          agent: '',
          locale: 'zh-CN',
          log: request.log,
        } as const
        const outcome = await api.run(route, input, visitor)
        if (!('body' in outcome) || outcome.body.code !== 200) throw new Refusal('not_found')
        return outcome.body.data as Answered<typeof endpoint>
      }
      const [, kind, id] = /^(machine|demand)\/(\d{1,12})\.png$/.exec(request.params['*']) ?? []
      try {
        const sheet = kind && id ? await sheets[kind as keyof typeof sheets](call, Number(id)) : siteSheet
        if (!kind && request.params['*'] !== 'site.png') throw new Refusal('not_found')
        const picture = await draw(sheet)
        return reply.type('image/png').header('cache-control', `public, max-age=${daySeconds}`).send(Buffer.from(picture))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return reply.code(error.code === 'busy' ? 503 : 404).send({ code: error.code === 'busy' ? 503 : 404, msg: '' })
      }
    },
  )
}

const siteSheet: Sheet = {
  machines: [
    { category: 201, group: 200, note: '' },
    { category: 101, group: 100, note: '' },
  ],
  headline: '',
  lines: [],
}

const sheets = {
  async machine(call: AsVisitor, id: number): Promise<Sheet> {
    const [machine, tree] = await Promise.all([call(getPublicEquipment, { params: { id } }), call(getCategoryTree, {})])
    const category = tree.flatMap(({ children }) => children).find((one) => one.id === machine.categoryId)
    const main = mainParam(category?.params)
    const size = main ? sizeOf(main, machine.specs) : ''
    return {
      machines: [{ category: machine.categoryId, group: machine.fatherCategoryId, note: machine.model }],
      headline: size || machine.model,
      lines: [
        ...(machine.monthPrice ? [`¥ ${Math.round(Number(machine.monthPrice)).toLocaleString('en-US')} /M`] : []),
        machine.outFactoryDate.slice(0, 4),
      ],
    }
  },
  async demand(call: AsVisitor, id: number): Promise<Sheet> {
    const demand = await call(getPublicDemand, { params: { id } })
    return {
      machines: demand.items.map(({ categoryId, qty }) => ({
        category: categoryId,
        group: Math.floor(categoryId / 100) * 100,
        note: `×${qty}`,
      })),
      headline: `×${demand.items.reduce((sum, { qty }) => sum + qty, 0)}`,
      lines: [(demand.quoteDeadline ?? '').slice(5, 16), hireOnPicture(demand)],
    }
  },
}

/** The picture has no words to say that the stored end is not part of the hire, so it shows the last day that is. */
export const hireOnPicture = ({ planStart, planEnd }: Pick<Answered<typeof getPublicDemand>, 'planStart' | 'planEnd'>): string =>
  `${planStart} - ${planEnd ? addDays(planEnd, -1).slice(5) : ''}`
