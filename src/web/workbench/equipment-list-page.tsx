import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import {
  countOwnShelves,
  exportOwnEquipment,
  listOwnCategories,
  listOwnEquipment,
  setShelf,
  setShelves,
  type OwnEquipment,
} from '#shared/equipment/contract.ts'
import { confirmEquipment, getOwnEquipment } from '#shared/equipment/own.ts'
import { auditStatuses, rentStatus, shelfStatus, type lessorShelves } from '#shared/equipment/rules.ts'
import { call } from '../app/api.ts'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { useFollow } from '../app/follow.ts'
import { machineName, named } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { filtersBesides, withParam } from '../app/list-settings.ts'
import { paths } from '#shared/paths.ts'
import { isOutdated } from '../app/outdated.ts'
import { invalidate } from '../app/queries.ts'
import { useRememberedFilters } from '../app/remember.ts'
import type { BatchAction } from '../app/selection-bar.tsx'
import { useText } from '../app/text.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { filtersOf, queryOf } from '../app/visit.ts'
import { exportList, WorkList } from '../app/work-list.tsx'
import type { RowAction } from '../app/work-table.tsx'
import { toast } from '../ui/toast.tsx'
import { Link } from '../ui/link.tsx'
import { useMachineColumns } from './equipment/machine-columns.tsx'
import { isLockedMachine, mayGoOnShelf } from './equipment/machine-form.ts'

const pageSize = 10
const callsOfMachines = [listOwnEquipment, countOwnShelves, getOwnEquipment] as const

export default function OwnEquipmentListPage() {
  const text = useText()
  const { own } = text.equipment
  const [params] = useSearchParams()
  useRememberedFilters('ownEquipment')
  const query = filtersOf(params)
  const list = useList(listOwnEquipment, pageSize)
  useFollow('equipment', listOwnEquipment, countOwnShelves)
  // News of several machines at once.
  useFollow('company', listOwnEquipment, countOwnShelves)
  const counts = useShelfCounts(filtersBesides('shelfStatus', params))
  const columns = useMachineColumns()
  const batch = useMachineBatch()
  const asked = useConfirm(...callsOfMachines)
  const refreshIfOutdated = (error: Error) => (isOutdated(error) ? invalidate(...callsOfMachines) : undefined)
  const putOn = useMutation({
    mutationFn: ({ id }: OwnEquipment) => call(setShelf, { params: { id }, body: { shelfStatus: shelfStatus.on } }),
    onSuccess: () => {
      toast('success', own.upDone)
      return invalidate(...callsOfMachines)
    },
    onError: refreshIfOutdated,
  })
  const takeOff = (machine: OwnEquipment) =>
    asked.confirm({
      title: own.down,
      question: own.downAsk,
      subject: machineName(text, machine),
      run: () => call(setShelf, { params: { id: machine.id }, body: { shelfStatus: shelfStatus.off } }),
      done: () => own.downDone,
    })
  const confirm = useMutation({
    mutationFn: (ids: number[]) => call(confirmEquipment, { body: { ids } }),
    onSuccess: ({ confirmed }) => {
      toast('success', text.equipment.upload.confirmed(confirmed))
      return invalidate(...callsOfMachines)
    },
    onError: refreshIfOutdated,
  })
  const verb = (machine: OwnEquipment) =>
    isOnShelf(machine) ? (
      <button type="button" className="button button-small" aria-disabled={confirm.isPending} onClick={() => confirm.mutate([machine.id])}>
        {text.equipment.upload.confirm}
        <span className="visually-hidden"> {machineName(text, machine)}</span>
      </button>
    ) : mayGoOnShelf(machine) ? (
      <button
        type="button"
        className="button button-small button-primary"
        aria-disabled={putOn.isPending}
        onClick={() => putOn.mutate(machine)}
      >
        {own.up}
        <span className="visually-hidden"> {machineName(text, machine)}</span>
      </button>
    ) : (
      <Link className="button button-small" to={paths.editMachine(machine.id)}>
        {isLockedMachine(machine) ? text.site.common.view : text.site.common.edit}
        <span className="visually-hidden"> {machineName(text, machine)}</span>
      </Link>
    )
  const menu = (machine: OwnEquipment): RowAction[] =>
    isOnShelf(machine)
      ? [
          { label: text.site.common.edit, to: paths.editMachine(machine.id) },
          { label: own.look, to: paths.machine(machine.id) },
          { label: own.down, danger: true, run: () => takeOff(machine) },
        ]
      : mayGoOnShelf(machine)
        ? [{ label: text.site.common.edit, to: paths.editMachine(machine.id) }]
        : []
  return (
    <>
      <WorkList
        name="ownEquipment"
        title={own.title}
        lead={own.lead}
        actions={
          <p className="row">
            <Link className="button" to={paths.importMachines()}>
              {text.equipment.imports.title}
            </Link>
            <Link className="button button-primary" to={paths.addMachine}>
              {text.equipment.upload.title}
            </Link>
          </p>
        }
        tabs={[
          { to: withParam(params, 'shelfStatus', ''), label: text.site.common.all, current: !query.shelfStatus },
          ...shelves
            .filter((status) => counts.data?.[status] || query.shelfStatus === status)
            .map((status) => ({
              to: withParam(params, 'shelfStatus', status),
              label: text.equipment.shelf[status] ?? '',
              count: counts.data?.[status] ?? 0,
              current: query.shelfStatus === status,
            })),
        ]}
        filters={<OwnEquipmentFilters query={query} />}
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={(machine) => `${machineName(text, machine)} ${machine.equipmentCode}`}
        verb={verb}
        menu={menu}
        batch={batch}
        exported={() => exportList(exportOwnEquipment, queryOf(params, exportOwnEquipment))}
        empty={own.none}
        emptyHint={own.noneHint}
        emptyAction={
          <Link className="button button-primary" to={paths.addMachine}>
            {text.equipment.upload.title}
          </Link>
        }
        pageSize={pageSize}
      />
      {asked.dialog}
    </>
  )
}

/** How many of the company's machines are on and off the shelf under the other filters of the list. */
const useShelfCounts = (besides: Record<string, string>) =>
  useQuery({
    queryKey: [countOwnShelves.url, besides],
    queryFn: () => call(countOwnShelves, { query: besides }),
    placeholderData: (before) => before,
  })

const shelves = [shelfStatus.on, shelfStatus.off, shelfStatus.takenDown] as const

const isOnShelf = (machine: OwnEquipment) => machine.shelfStatus === shelfStatus.on

/** What may be done with several machines at once. */
function useMachineBatch(): BatchAction<OwnEquipment>[] {
  const { list } = useText()
  const shelve = (to: (typeof lessorShelves)[number]) => async (ids: number[]) => {
    const result = await call(setShelves, { body: { ids, shelfStatus: to } })
    await invalidate(...callsOfMachines)
    return result
  }
  return [
    {
      label: list.machine.putOn,
      // Each of the others answers why it stays off.
      fits: (machine) => !isOnShelf(machine) && machine.rentStatus !== rentStatus.retired,
      run: shelve(shelfStatus.on),
    },
    {
      label: list.machine.confirmSelected,
      fits: isOnShelf,
      run: async (ids) => {
        const { confirmed } = await call(confirmEquipment, { body: { ids } })
        await invalidate(...callsOfMachines)
        return { done: confirmed, left: [] }
      },
    },
    { label: list.machine.takeOff, danger: true, ask: list.machine.takeOffAsk, fits: isOnShelf, run: shelve(shelfStatus.off) },
  ]
}

function OwnEquipmentFilters({ query }: { query: Record<string, string> }) {
  const text = useText()
  const categories = useQuery({ queryKey: [listOwnCategories.url], queryFn: () => call(listOwnCategories, {}) })
  return (
    <FilterForm>
      {query.shelfStatus && <input type="hidden" name="shelfStatus" value={query.shelfStatus} />}
      <TextFilter name="name" label={text.equipment.own.search} value={query.name} className="wide" />
      <SelectFilter
        // A select takes its choice when it is made, so it is made again with its options.
        key={categories.status}
        name="categoryId"
        label={text.site.common.category}
        value={query.categoryId}
        all={text.site.common.unlimited}
        options={(categories.data ?? []).map(({ categoryId, count, ...names }) => [categoryId, `${named(text, names)} (${count})`])}
      />
      <SelectFilter
        name="auditStatus"
        label={text.equipment.review.title}
        value={query.auditStatus}
        all={text.site.common.unlimited}
        options={auditStatuses.map((status) => [status, text.equipment.audit[status] ?? ''])}
      />
    </FilterForm>
  )
}
