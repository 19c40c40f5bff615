import { sql } from 'kysely'
import { documentKinds } from '#shared/equipment/rules.ts'
import type { Services } from '#server/services.ts'
import { storeFiles } from './files.ts'
import type { SeededMachine } from './fleet.ts'
import type { LessorSeed } from './people.ts'
import { drawnPaper, nameplateOf, photoOf, type Picture, type Shown } from './pictures.ts'

const photographed = 60

/** What is drawn of a machine: a lorry's plate without the sign of its province, of others the factory number. */
const shownOf = ({ id, category, input }: SeededMachine): Shown => ({
  category: category.id,
  plate: input.plateNo?.slice(1) ?? input.factoryNo ?? '',
  isRoadPlate: input.plateNo !== null,
  hours: input.workHours,
  seed: id,
})

/**
 * Photos of sixty machines on the shelf, of as many kinds as there are, of all that wait for their review, and of all that passed it and belong to one of
 * the first two firms, to which people sign in: they save changes of them.
 */
export async function seedPhotos(services: Services, machines: readonly SeededMachine[], lessors: readonly LessorSeed[]): Promise<void> {
  const own = new Set(lessors.slice(0, 2).map(({ companyId }) => companyId))
  const shelved = machines.filter(({ standing }) => standing === 'shelf').toReversed()
  const newestOfKind = [...Map.groupBy(shelved, ({ category }) => category.id).values()].flatMap(([first]) => first ?? [])
  const shown = [...new Set([...shelved.slice(0, 24), ...newestOfKind])].slice(0, photographed)
  const passedOwn = machines.filter(({ companyId, standing }) => own.has(companyId) && (standing === 'shelf' || standing === 'off'))
  const chosen = new Set([...shown, ...passedOwn])
  const waiting = machines.filter(({ standing }) => standing === 'waiting')
  const shots = [
    ...[...chosen, ...waiting].map((machine) => ({ machine, orderNum: 0, draw: photoOf })),
    ...waiting.map((machine) => ({ machine, orderNum: 1, draw: nameplateOf })),
  ]
  const pictures = await Promise.all(shots.map(({ machine, draw }) => draw(shownOf(machine))))
  const ids = await storeFiles(
    services,
    shots.map(({ machine, orderNum }, at) => ({
      name: orderNum === 0 ? '整机.jpg' : '铭牌.jpg',
      purpose: 'machinePicture' as const,
      accountId: machine.accountId,
      companyId: machine.companyId,
      createTime: machine.created,
      picture: pictures[at] as Picture,
    })),
  )
  await services.db
    .insertInto('equipmentImage')
    .values(shots.map(({ machine, orderNum }, at) => ({ equipmentId: machine.id, fileId: ids[at] ?? '', orderNum })))
    .execute()
}

/**
 * A file behind every paper. Machines that wait for their review have papers of their own with their numbers; the others of a firm share one
 * picture of each kind, as a firm that hands in a folder of copies does.
 */
export async function seedPapers(services: Services, machines: readonly SeededMachine[]): Promise<void> {
  const kinds = new Map(await Promise.all(documentKinds.map(async (kind, at) => [kind, await drawnPaper(at * 33, at % 3 === 1)] as const)))
  const groups = Map.groupBy(
    machines.flatMap((machine) => machine.input.papers.map((paper) => ({ machine, paper }))),
    ({ machine, paper }) => `${machine.standing === 'waiting' ? `m${machine.id}` : `c${machine.companyId}`}:${paper.kind}`,
  )
  const files = await Promise.all(
    [...groups.values()].flatMap(([first]) => {
      if (!first) return []
      const { machine, paper } = first
      const own = machine.standing === 'waiting'
      const at = documentKinds.indexOf(paper.kind)
      return [
        (async () => ({
          name: `${paper.kind}.png`,
          purpose: 'machineDocument' as const,
          accountId: machine.accountId,
          companyId: machine.companyId,
          createTime: machine.created,
          picture: own ? await drawnPaper(at * 33, at % 3 === 1, `NO ${paper.number.slice(3)}`) : (kinds.get(paper.kind) as Picture),
        }))(),
      ]
    }),
  )
  const ids = await storeFiles(services, files)
  const links = [...groups.values()].flatMap((group, at) =>
    group.map(({ machine, paper }) => ({ machine: machine.id, kind: paper.kind, file: ids[at] ?? '' })),
  )
  await sql`update equipment_document d set file_id = l.file from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as l(machine bigint, kind text, file uuid)
    where d.equipment_id = l.machine and d.kind = l.kind`.execute(services.db)
}
