import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Answered } from '#shared/endpoint.ts'
import { listOwnCategories, listOwnEquipment, setShelf } from '#shared/equipment/contract.ts'
import { confirmEquipment, getOwnEquipment } from '#shared/equipment/own.ts'
import { auditStatuses, equipmentAudit, rentStatus, shelfStatus, type lessorShelves } from '#shared/equipment/rules.ts'
import { call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { useFollow } from '../app/follow.ts'
import { money, named } from '../app/format.ts'
import { ListFrame, useList } from '../app/list-frame.tsx'
import { paths } from '#shared/paths.ts'
import { invalidate } from '../app/queries.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { useText } from '../app/text.tsx'
import { filtersOf } from '../app/visit.ts'
import { Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

type OwnEquipmentRow = Answered<typeof listOwnEquipment>['rows'][number]

export default function OwnEquipmentListPage() {
  const text = useText()
  const { own } = text.equipment
  const [params] = useSearchParams()
  const [takingOff, setTakingOff] = useState<{ id: number; name: string } | null>(null)
  useRememberedFilters('ownEquipment')
  const query = filtersOf(params)
  const list = useList(listOwnEquipment, pageSize)
  useFollow('equipment', listOwnEquipment)
  const move = useMutation({
    mutationFn: ({ id, ...body }: { id: number; shelfStatus: (typeof lessorShelves)[number] }) => call(setShelf, { params: { id }, body }),
    onSuccess: (_, moved) => {
      setTakingOff(null)
      toast('success', moved.shelfStatus === shelfStatus.on ? own.upDone : own.downDone)
      return invalidate(listOwnEquipment, getOwnEquipment)
    },
    onError: () => setTakingOff(null),
  })
  const confirm = useMutation({
    mutationFn: (ids: number[]) => call(confirmEquipment, { body: { ids } }),
    onSuccess: ({ confirmed }) => {
      toast('success', text.equipment.upload.confirmed(confirmed))
      return invalidate(listOwnEquipment, getOwnEquipment)
    },
  })
  const shelved = list.data?.rows.filter((machine) => machine.shelfStatus === shelfStatus.on).map(({ id }) => id) ?? []
  return (
    <>
      <ListFrame
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
        filters={
          <>
            <OwnEquipmentFilters query={query} />
            {shelved.length > 1 && (
              <p>
                <button type="button" className="link" disabled={confirm.isPending} onClick={() => confirm.mutate(shelved)}>
                  {own.confirmPage(shelved.length)}
                </button>
              </p>
            )}
          </>
        }
        list={list}
        keyOf={({ id }) => id}
        empty={own.none}
        emptyHint={own.noneHint}
        emptyAction={
          <Link className="button button-primary" to={paths.addMachine}>
            {text.equipment.upload.title}
          </Link>
        }
        pageSize={pageSize}
        columns={[
          {
            label: text.equipment.name,
            whole: true,
            cell: (machine) => (
              <>
                <Link to={paths.editMachine(machine.id)}>{machine.name}</Link>
                <p className="small faint">
                  {named(text, machine)} · <span className="num">{machine.equipmentCode}</span>
                  {machine.factoryNo && (
                    <>
                      {' '}
                      · {own.factoryNo} <span className="num">{machine.factoryNo}</span>
                    </>
                  )}
                </p>
              </>
            ),
          },
          { label: text.site.common.status, cell: (machine) => <MachineStates machine={machine} /> },
          { label: text.equipment.price, num: true, cell: ({ monthPrice }) => money(monthPrice) || text.equipment.negotiable },
          { label: text.equipment.papers, className: 'small', cell: (machine) => <ValidDocuments machine={machine} /> },
          { label: own.bookings, className: 'small num', cell: (machine) => <NextBookings machine={machine} /> },
          {
            label: text.site.common.edit,
            buttons: true,
            cell: (machine) => (
              <ShelfButtons
                machine={machine}
                busy={confirm.isPending || move.isPending}
                onConfirm={() => confirm.mutate([machine.id])}
                onTakeOff={() => setTakingOff(machine)}
                onPut={() => move.mutate({ id: machine.id, shelfStatus: shelfStatus.on })}
              />
            ),
          },
        ]}
      />
      <ConfirmDialog
        open={takingOff !== null}
        onClose={() => setTakingOff(null)}
        title={own.down}
        action={own.down}
        busy={move.isPending}
        onConfirm={() => takingOff && move.mutate({ id: takingOff.id, shelfStatus: shelfStatus.off })}
      >
        <p>{takingOff?.name}</p>
        <p>{own.downAsk}</p>
      </ConfirmDialog>
    </>
  )
}

function OwnEquipmentFilters({ query }: { query: Record<string, string> }) {
  const text = useText()
  const categories = useQuery({ queryKey: [listOwnCategories.url], queryFn: () => call(listOwnCategories, {}) })
  return (
    <FilterForm>
      <TextFilter name="name" label={text.equipment.name} value={query.name} className="wide" />
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
        name="shelfStatus"
        label={text.site.common.status}
        value={query.shelfStatus}
        all={text.site.common.unlimited}
        options={([shelfStatus.on, shelfStatus.off, shelfStatus.takenDown] as const).map((status) => [
          status,
          text.equipment.shelf[status] ?? '',
        ])}
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

/** The actions of a machine that is on the shelf, or that may be put on it. */
function ShelfButtons({
  machine,
  busy,
  onConfirm,
  onTakeOff,
  onPut,
}: {
  machine: OwnEquipmentRow
  busy: boolean
  onConfirm: () => void
  onTakeOff: () => void
  onPut: () => void
}) {
  const text = useText()
  const { own } = text.equipment
  if (machine.shelfStatus === shelfStatus.on)
    return (
      <span className="row gap-6">
        <Link className="button button-small" to={paths.machine(machine.id)}>
          {own.look}
        </Link>
        <button
          type="button"
          className="button button-small"
          title={text.equipment.confirmed(machine.confirmedAt.slice(0, 10))}
          disabled={busy}
          onClick={onConfirm}
        >
          {text.equipment.upload.confirm}
        </button>
        <button type="button" className="button button-small" onClick={onTakeOff}>
          {own.down}
        </button>
      </span>
    )
  if (machine.auditStatus !== equipmentAudit.passed || machine.shelfStatus !== shelfStatus.off) return null
  return (
    <button type="button" className="button button-small button-primary" disabled={busy} onClick={onPut}>
      {own.up}
    </button>
  )
}

function MachineStates({ machine }: { machine: OwnEquipmentRow }) {
  const { equipment } = useText()
  return (
    <span className="row gap-4">
      <Tag tone={machine.shelfStatus === shelfStatus.on ? 'good' : 'plain'}>{equipment.shelf[machine.shelfStatus]}</Tag>
      {machine.auditStatus !== equipmentAudit.passed && <Tag tone="warn">{equipment.audit[machine.auditStatus]}</Tag>}
      {machine.changing && <Tag tone="warn">{equipment.upload.changing}</Tag>}
      {machine.rentStatus !== rentStatus.available && <Tag tone="amber">{equipment.rentStatus[machine.rentStatus]}</Tag>}
    </span>
  )
}

function ValidDocuments({ machine: { documents } }: { machine: OwnEquipmentRow }) {
  const text = useText()
  const ending = documents.filter(({ validTo }) => validTo !== null)
  return (
    <span>
      {ending.length === 0 && (documents.length > 0 ? text.equipment.paperForever : text.site.common.none)}
      {ending.map((paper) => (
        <span key={paper.kind} className="block">
          {text.equipment.document[paper.kind]} <span className="num soft">{paper.validTo}</span>
        </span>
      ))}
    </span>
  )
}

function NextBookings({ machine: { bookings } }: { machine: OwnEquipmentRow }) {
  const { equipment } = useText()
  return (
    <span>
      {bookings.length === 0 && equipment.calendarFree}
      {bookings.slice(0, 3).map((booking) => (
        <span key={booking.from + booking.to} className="block">
          {booking.from} – {booking.to} {equipment.own.booked[booking.reason]}
        </span>
      ))}
    </span>
  )
}
