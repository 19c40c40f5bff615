import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { useSearchParams } from 'react-router'
import { listOwnDepts } from '#shared/company/contract.ts'
import { askTransfer, listInternal, listTransfers, removeInternal, type InternalMachine } from '#shared/internal/contract.ts'
import { yesNo } from '#shared/rules.ts'
import { DateField } from '../app/date-field.tsx'
import { call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { FilterForm } from '../app/filter-form.tsx'
import { useFollow } from '../app/follow.ts'
import { useCategoryQuery } from '../category/category-tree.ts'
import { SelectField, TextareaField } from '../ui/form-fields.tsx'
import { machineName, money, named, placeName } from '../app/format.ts'
import { ListBody, ListTotal, UnloadedOptions, useList } from '../app/list-frame.tsx'
import { Period } from '../app/period.tsx'
import { invalidate } from '../app/queries.ts'
import { useSiteName } from '../app/site.ts'
import { mayIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { Field, Head } from '../ui/parts.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { toast } from '../ui/toast.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { useDraftFields } from '../app/use-draft-fields.ts'
import { InternalForm } from './internal/internal-form.tsx'
import { Transfers } from './internal/transfers.tsx'

const pageSize = 10
const tabs = ['idle', 'mine', 'transfers'] as const

/** The idle machines of the group, those of the own units, and the transfers. */
export default function InternalPage() {
  const text = useText()
  const words = text.internal
  const site = useSiteName()
  const session = useSession()
  const offers = mayIn(session, 'internal:offer')
  const [params] = useSearchParams()
  const [editing, setEditing] = useState<InternalMachine | 'new' | null>(null)
  useFollow('transfer', listTransfers, listInternal)
  const tab = tabs.find((one) => one === params.get('tab')) ?? 'idle'
  return (
    <div className="stack">
      <Head title={words.title} site={site} index={false} />
      <header className="page-head row between">
        <div>
          <h1>{words.title}</h1>
          <p>{words.lead}</p>
        </div>
        {offers && (
          <button type="button" className="button button-primary" onClick={() => setEditing('new')}>
            {words.add}
          </button>
        )}
      </header>
      <Tabs
        label={words.title}
        tabs={tabs
          .filter((one) => one !== 'mine' || offers)
          .map((one) => ({ to: `?tab=${one}`, label: words.tabs[one] ?? '', current: one === tab }))}
      />
      {tab === 'transfers' ? <Transfers /> : <Machines tab={tab} onAdd={offers ? () => setEditing('new') : null} onEdit={setEditing} />}
      {editing && (
        <InternalForm
          key={editing === 'new' ? 0 : editing.id}
          machine={editing === 'new' ? null : editing}
          // While a call runs, its dialog may be closed and another one opened, which stays.
          onClose={() => setEditing((now) => (now === editing ? null : now))}
        />
      )}
    </div>
  )
}

function Machines({
  tab,
  onAdd,
  onEdit,
}: {
  tab: 'idle' | 'mine'
  /** Null for those who may not offer a machine. */
  onAdd: (() => void) | null
  onEdit: (machine: InternalMachine) => void
}) {
  const text = useText()
  const words = text.internal
  const [requested, setRequested] = useState<InternalMachine | null>(null)
  const list = useList(listInternal, pageSize, { mine: tab === 'mine' ? yesNo.yes : '' })
  const { confirm, dialog } = useConfirm(listInternal)
  const remove = (machine: InternalMachine) =>
    confirm({
      title: words.remove,
      question: words.removeAsk,
      subject: machineName(text, machine),
      run: () => call(removeInternal, { params: { id: machine.id } }),
      done: () => words.removed,
    })
  return (
    <>
      <MachineFilters tab={tab} />
      <p>
        <ListTotal list={list} />
      </p>
      <ListBody
        list={list}
        keyOf={({ id }) => id}
        empty={words.empty}
        emptyAction={
          onAdd && (
            <button type="button" className="button button-primary" onClick={onAdd}>
              {words.add}
            </button>
          )
        }
        pageSize={pageSize}
        columns={[
          {
            label: words.name,
            whole: true,
            cell: (machine) => (
              <>
                <strong>{machineName(text, machine)}</strong>
                <p className="small faint">
                  <span>{named(text, machine)}</span> · <span className="whole-words">{placeName(text, machine)}</span>
                </p>
              </>
            ),
          },
          { label: words.dept, className: 'long-name', cell: ({ deptName }) => deptName },
          { label: words.freePeriod, cell: ({ freeFrom, freeTo }) => <Period from={freeFrom} to={freeTo} /> },
          { label: words.innerPrice, num: true, cell: ({ innerPrice }) => (innerPrice === null ? words.free : money(innerPrice)) },
          {
            label: text.site.common.actions,
            buttons: true,
            cell: (machine) => (
              <span className="row gap-6">
                {!machine.mine && (
                  <button type="button" className="button button-small button-primary" onClick={() => setRequested(machine)}>
                    {words.ask}
                  </button>
                )}
                {machine.mine && (
                  <>
                    <button type="button" className="button button-small" onClick={() => onEdit(machine)}>
                      {text.site.common.edit}
                    </button>
                    <button type="button" className="button button-small button-danger" onClick={() => remove(machine)}>
                      {words.remove}
                    </button>
                  </>
                )}
              </span>
            ),
          },
        ]}
      />
      {requested && (
        <TransferRequestDialog
          key={requested.id}
          machine={requested}
          onClose={() => setRequested((now) => (now === requested ? null : now))}
        />
      )}
      {dialog}
    </>
  )
}

/** The category of the machines, in either tab. */
function MachineFilters({ tab }: { tab: string }) {
  const text = useText()
  const [params] = useSearchParams()
  const categories = useCategoryQuery()
  const tree = categories.data ?? []
  return (
    <FilterForm views={['tab']}>
      <input type="hidden" name="tab" value={tab} />
      <Field label={text.site.common.category}>
        {(control) => (
          // A select takes its choice when it is made, so it is made again with its options.
          <select {...control} key={tree.length} className="select" name="categoryId" defaultValue={params.get('categoryId') ?? ''}>
            <option value="">{text.site.common.unlimited}</option>
            {tree.map((group) => (
              <optgroup key={group.id} label={named(text, group)}>
                {group.children.map((category) => (
                  <option key={category.id} value={category.id}>
                    {named(text, category)}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      <UnloadedOptions queries={[categories]} />
    </FilterForm>
  )
}

function TransferRequestDialog({ machine, onClose }: { machine: InternalMachine; onClose: () => void }) {
  const text = useText()
  const words = text.internal
  const depts = useQuery({ queryKey: [listOwnDepts.url], queryFn: () => call(listOwnDepts, {}) })
  const blank = { deptId: '', from: machine.freeFrom, to: machine.freeTo, note: '' }
  const form = useDraftFields(askTransfer.body, blank, `transfer-ask-${machine.id}`)
  const { values, set, errors } = form
  const deptId = values.deptId || String(depts.data?.[0]?.deptId ?? '')
  const closeAndRefetch = () => {
    onClose()
    return invalidate(listInternal, listTransfers)
  }
  const send = async (body: z.input<typeof askTransfer.body>) => {
    await call(askTransfer, { body })
    toast('success', words.asked)
    await closeAndRefetch()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.askFor(machineName(text, machine))}
      kind="info"
      action={words.ask}
      busy={form.busy}
      onConfirm={() => void form.submit(send, { deptId, machineId: machine.id }, closeAndRefetch)}
    >
      <UnloadedOptions queries={[depts]} />
      <SelectField
        label={words.toDept}
        value={deptId}
        onChange={set('deptId')}
        options={(depts.data ?? []).map((dept) => [String(dept.deptId), dept.projectName])}
        error={errors.deptId}
      />
      <DateField label={words.from} required value={values.from} onChange={set('from')} error={errors.from} />
      <DateField label={words.to} required value={values.to} since={values.from} presets="period" onChange={set('to')} error={errors.to} />
      <TextareaField label={words.note} maxLength={500} value={values.note} onChange={set('note')} error={errors.note} />
    </ConfirmDialog>
  )
}
