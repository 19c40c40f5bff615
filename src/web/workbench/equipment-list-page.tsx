import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { listOwnEquipment, setShelf } from '#shared/equipment/contract.ts'
import { confirmEquipment } from '#shared/equipment/own.ts'
import { auditStatuses } from '#shared/equipment/rules.ts'
import { call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { money, named } from '../app/format.ts'
import { ListPages } from '../app/list-pages.tsx'
import { paths } from '#shared/paths.ts'
import { queries } from '../app/queries.ts'
import { useCategoryTree } from '../category/category-tree.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Skeleton, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

export default function OwnEquipmentListPage() {
  const text = useText()
  const { own } = text.equipment
  const site = useSiteName()
  const tree = useCategoryTree()
  const [params] = useSearchParams()
  const [taking, setTaking] = useState<{ id: number; name: string } | null>(null)
  useRememberedFilters('ownEquipment')
  const query = Object.fromEntries(params) as Record<string, string>
  const list = useQuery({
    queryKey: [listOwnEquipment.url, query],
    queryFn: () => call(listOwnEquipment, { query: { ...query, pageSize } as never }),
    placeholderData: (before) => before,
  })
  const move = useMutation({
    mutationFn: ({ id, shelfStatus }: { id: number; shelfStatus: '0' | '1' }) => call(setShelf, { params: { id }, body: { shelfStatus } }),
    onSuccess: (_, { shelfStatus }) => {
      setTaking(null)
      toast('success', shelfStatus === '1' ? own.upDone : own.downDone)
      return queries.invalidateQueries()
    },
    onError: () => setTaking(null),
  })
  const confirm = useMutation({
    mutationFn: (ids: number[]) => call(confirmEquipment, { body: { ids } }),
    onSuccess: ({ confirmed }) => {
      toast('success', text.equipment.upload.confirmed(confirmed))
      return queries.invalidateQueries()
    },
  })
  const shelved = list.data?.rows.filter(({ shelfStatus }) => shelfStatus === '1').map(({ id }) => id) ?? []
  return (
    <div>
      <Head title={own.title} site={site} index={false} />
      <header className="page-head row between">
        <div>
          <h1>{own.title}</h1>
          <p>{own.lead}</p>
        </div>
        <p className="row">
          <Link className="button" to={paths.importMachines()}>
            {text.equipment.imports.title}
          </Link>
          <Link className="button button-primary" to={paths.addMachine}>
            {text.equipment.upload.title}
          </Link>
        </p>
      </header>
      <FilterForm>
        <TextFilter name="name" label={text.equipment.name} value={query.name} className="wide" />
        <SelectFilter
          name="categoryId"
          label={text.site.common.category}
          value={query.categoryId}
          all={text.site.common.unlimited}
          options={tree.flatMap((group) => group.children).map((category) => [category.id, named(text, category)])}
        />
        <SelectFilter
          name="shelfStatus"
          label={text.site.common.status}
          value={query.shelfStatus}
          all={text.site.common.unlimited}
          options={(['1', '0', '2'] as const).map((status) => [status, text.equipment.shelf[status] ?? ''])}
        />
        <SelectFilter
          name="auditStatus"
          label={text.equipment.review.title}
          value={query.auditStatus}
          all={text.site.common.unlimited}
          options={auditStatuses.map((status) => [status, text.equipment.audit[status] ?? ''])}
        />
      </FilterForm>
      {shelved.length > 1 && (
        <p style={{ marginBottom: 8 }}>
          <button type="button" className="link" disabled={confirm.isPending} onClick={() => confirm.mutate(shelved)}>
            {own.confirmPage(shelved.length)}
          </button>
        </p>
      )}
      {list.isPending ? (
        <Skeleton />
      ) : list.data?.rows.length ? (
        <div className="scroll-x" tabIndex={0}>
          <table className="table cards-on-phone">
            <thead>
              <tr>
                <th>{text.equipment.name}</th>
                <th>{text.site.common.status}</th>
                <th className="right">{text.equipment.price}</th>
                <th>{text.equipment.papers}</th>
                <th>{own.bookings}</th>
                <th>
                  <span className="visually-hidden">{text.site.common.edit}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.data.rows.map((machine) => (
                <tr key={machine.id}>
                  <td className="whole">
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
                  </td>
                  <td data-label={text.site.common.status}>
                    <span className="row" style={{ gap: 4 }}>
                      <Tag tone={machine.shelfStatus === '1' ? 'good' : 'plain'}>{text.equipment.shelf[machine.shelfStatus]}</Tag>
                      {machine.auditStatus !== '2' && <Tag tone="warn">{text.equipment.audit[machine.auditStatus]}</Tag>}
                      {machine.changing && <Tag tone="warn">{text.equipment.upload.changing}</Tag>}
                      {machine.rentStatus !== '0' && <Tag tone="amber">{text.equipment.rentStatus[machine.rentStatus]}</Tag>}
                    </span>
                  </td>
                  <td data-label={text.equipment.price} className="right num">
                    {money(machine.monthPrice) || text.equipment.negotiable}
                  </td>
                  <td data-label={text.equipment.papers} className="small">
                    <span>
                      {machine.documents.every(({ validTo }) => validTo === null) &&
                        (machine.documents.length > 0 ? text.equipment.paperForever : text.site.common.none)}
                      {machine.documents
                        .filter(({ validTo }) => validTo !== null)
                        .map((paper) => (
                          <span key={paper.kind} style={{ display: 'block' }}>
                            {text.equipment.document[paper.kind]} <span className="num soft">{paper.validTo}</span>
                          </span>
                        ))}
                    </span>
                  </td>
                  <td data-label={own.bookings} className="small num">
                    <span>
                      {machine.bookings.length === 0 && text.equipment.calendarFree}
                      {machine.bookings.slice(0, 3).map((booking) => (
                        <span key={booking.from + booking.to} style={{ display: 'block' }}>
                          {booking.from} – {booking.to} {own.booked[booking.reason]}
                        </span>
                      ))}
                    </span>
                  </td>
                  <td>
                    {machine.shelfStatus === '1' ? (
                      <span className="row" style={{ gap: 6 }}>
                        <Link className="button button-small" to={paths.machine(machine.id)}>
                          {own.look}
                        </Link>
                        <button
                          type="button"
                          className="button button-small"
                          title={text.equipment.confirmed(machine.confirmedAt.slice(0, 10))}
                          disabled={confirm.isPending}
                          onClick={() => confirm.mutate([machine.id])}
                        >
                          {text.equipment.upload.confirm}
                        </button>
                        <button type="button" className="button button-small" onClick={() => setTaking(machine)}>
                          {own.down}
                        </button>
                      </span>
                    ) : machine.auditStatus === '2' && machine.shelfStatus === '0' ? (
                      <button
                        type="button"
                        className="button button-small button-primary"
                        disabled={move.isPending}
                        onClick={() => move.mutate({ id: machine.id, shelfStatus: '1' })}
                      >
                        {own.up}
                      </button>
                    ) : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <div className="panel">
          <Empty title={text.site.common.empty} hint={text.site.common.emptyHint} />
        </div>
      )}
      <ListPages total={list.data?.total ?? 0} pageSize={pageSize} />
      <ConfirmDialog
        open={taking !== null}
        onClose={() => setTaking(null)}
        title={own.down}
        action={own.down}
        busy={move.isPending}
        onConfirm={() => taking && move.mutate({ id: taking.id, shelfStatus: '0' })}
      >
        <p>{taking?.name}</p>
        <p>{own.downAsk}</p>
      </ConfirmDialog>
    </div>
  )
}
