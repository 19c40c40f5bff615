import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { dayOf } from '#shared/calendar.ts'
import { exportCeilings, deleteCeiling, listCeilings, saveCeiling, type Ceiling } from '#shared/ceiling/contract.ts'
import { listDepts } from '#shared/dept/contract.ts'
import { rentUnits, shiftModes } from '#shared/equipment/rules.ts'
import { getRegionTree } from '#shared/region/contract.ts'
import { sides } from '#shared/demand/rules.ts'
import { mainParam } from '#shared/main-param.ts'
import { DateField } from '../app/date-field.tsx'
import { call } from '../app/api.ts'
import { DraftNote } from '../app/form-bar.tsx'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { queryOf } from '../app/visit.ts'
import { exportList, WorkList } from '../app/work-list.tsx'
import { CheckField, SelectField, TextField } from '../ui/form-fields.tsx'
import { money, named } from '../app/format.ts'
import { MoneyField } from '../app/money-field.tsx'
import { UnloadedOptions, useList } from '../app/list-frame.tsx'
import { isOutdated } from '../app/outdated.ts'
import { invalidate } from '../app/queries.ts'
import { mayIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { Field } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFields, type Errors } from '../app/use-form.ts'
import { useCategories } from '../category/category-tree.ts'
import { CategoryPicker } from '../category/pickers.tsx'

const pageSize = 20

/** The price ceilings of the organisation. */
export default function CeilingsPage() {
  const text = useText()
  const words = text.ceiling
  const session = useSession()
  const edits = mayIn(session, 'ceiling:edit') && session.info?.user.isAdmin === true
  const [params] = useSearchParams()
  const [editing, setEditing] = useState<Ceiling | 'new' | null>(null)
  const list = useList(listCeilings, pageSize)
  const { confirm, dialog } = useConfirm(listCeilings)
  const remove = (row: Ceiling) =>
    confirm({
      title: words.remove,
      question: words.removeAsk,
      subject: named(text, row),
      run: () => call(deleteCeiling, { params: { id: row.id } }),
      done: () => words.removed,
    })
  const band = useBand()
  return (
    <>
      <WorkList
        name="ceiling"
        title={words.title}
        lead={words.lead}
        actions={
          edits && (
            <button type="button" className="button button-primary" onClick={() => setEditing('new')}>
              {words.add}
            </button>
          )
        }
        list={list}
        keyOf={({ id }) => id}
        nameOf={(row) => named(text, row)}
        {...(edits && {
          verb: (row: Ceiling) =>
            row.mine && (
              <button type="button" className="button button-small" onClick={() => setEditing(row)}>
                {text.site.common.edit}
                <span className="visually-hidden"> {named(text, row)}</span>
              </button>
            ),
          menu: (row: Ceiling) => (row.mine ? [{ label: words.remove, danger: true, run: () => remove(row) }] : []),
        })}
        exported={() => exportList(exportCeilings, queryOf(params, exportCeilings))}
        empty={words.empty}
        pageSize={pageSize}
        columns={[
          {
            id: 'category',
            label: words.category,
            whole: true,
            cell: (row) => (
              <>
                <strong>{named(text, row)}</strong>
                <p className="small faint">
                  {[
                    text.demand.shift[row.shiftMode],
                    row.withOperator ? text.equipment.withOperator : text.equipment.bare,
                    text.equipment.fuelBy[row.fuelBy],
                  ].join(' · ')}
                </p>
              </>
            ),
          },
          { id: 'main', label: words.main, className: 'num', cell: band },
          {
            id: 'province',
            label: words.province,
            cell: (row) => named(text, { name: row.provinceName, nameEn: row.provinceNameEn }) || words.everywhere,
          },
          { id: 'term', label: words.term, cell: ({ longTerm }) => (longTerm ? words.longTerm : words.shortTerm) },
          {
            id: 'price',
            label: words.price,
            sort: 'price',
            num: true,
            cell: ({ price, rentUnit }) => (
              <>
                {money(price)} <span className="small soft">{text.equipment.unit[rentUnit]}</span>
              </>
            ),
          },
          {
            id: 'fromDay',
            label: words.fromDay,
            sort: 'fromDay',
            className: 'num',
            cell: ({ fromDay, toDay }) => `${fromDay} ${toDay ? `– ${text.list.endDay(toDay)}` : ''}`,
          },
          { id: 'dept', className: 'long-name', label: words.dept, cell: ({ deptName }) => deptName },
        ]}
      />
      {editing && (
        <CeilingForm
          key={editing === 'new' ? 0 : editing.id}
          row={editing === 'new' ? null : editing}
          onClose={() => setEditing((now) => (now === editing ? null : now))}
        />
      )}
      {dialog}
    </>
  )
}

/** The unit of the main parameter of a category, empty where it has none. */
function useMainUnit(): (categoryId: number | null) => string {
  const categories = useCategories()
  return (categoryId) => mainParam(categories.get(categoryId ?? 0)?.params)?.unit ?? ''
}

/** Words the values of the main parameter for which a ceiling holds. */
function useBand(): (ceiling: Ceiling) => string {
  const unitOf = useMainUnit()
  return ({ categoryId, mainMin, mainMax }) =>
    mainMin === null && mainMax === null ? '—' : `${mainMin ?? 0} – ${mainMax ?? '∞'} ${unitOf(categoryId)}`.trim()
}

const numberOrNull = (typed: string) => (typed.trim() === '' ? null : Number(typed))

const initialOf = (row: Ceiling | null) => ({
  deptId: row ? String(row.deptId) : '',
  categoryId: row?.categoryId ?? null,
  mainMin: row?.mainMin === null || row === null ? '' : String(row.mainMin),
  mainMax: row?.mainMax === null || row === null ? '' : String(row.mainMax),
  provinceId: row?.provinceId ? String(row.provinceId) : '',
  rentUnit: row?.rentUnit ?? ('M' as const),
  shiftMode: row?.shiftMode ?? ('single' as const),
  withOperator: row?.withOperator ?? true,
  fuelBy: row?.fuelBy ?? ('lessee' as const),
  longTerm: row?.longTerm ?? false,
  price: row?.price ?? '',
  fromDay: row?.fromDay ?? dayOf(new Date()),
  toDay: row?.toDay ?? '',
})

type CeilingValues = ReturnType<typeof initialOf>

const bodyOf = (values: CeilingValues, row: Ceiling | null) => ({
  ...values,
  categoryId: values.categoryId ?? undefined,
  mainMin: numberOrNull(values.mainMin),
  mainMax: numberOrNull(values.mainMax),
  provinceId: values.provinceId || null,
  price: values.price || undefined,
  toDay: values.toDay || null,
  ...(row && { id: row.id, version: row.version }),
})

function CeilingForm({ row, onClose }: { row: Ceiling | null; onClose: () => void }) {
  const text = useText()
  const words = text.ceiling
  const depts = useQuery({ queryKey: [listDepts.url], queryFn: () => call(listDepts, {}) })
  const provinces = useQuery({
    queryKey: [getRegionTree.url, 'provinces'],
    queryFn: () => call(getRegionTree, { query: { level: 1 } }),
    staleTime: Infinity,
  })
  const form = useFields(saveCeiling.body, initialOf(row))
  const { values, setValues, change: set, errors } = form
  const draft = useValuesDraft(`ceiling-${row?.id ?? 'new'}`, values, setValues, { quiet: true })
  const unit = useMainUnit()(values.categoryId)
  const withUnit = (label: string) => (unit ? `${label} (${unit})` : label)
  const deptId = values.deptId || String(depts.data?.[0]?.deptId ?? '')
  const save = useMutation({
    mutationFn: ({ accepted }: { accepted: z.input<typeof saveCeiling.body>; typed: typeof values }) =>
      call(saveCeiling, { body: accepted }),
    onSuccess: ({ id }, { typed }) => {
      // What was typed meanwhile is a draft of what is stored now.
      draft.saved(typed, { name: `ceiling-${id}` })
      toast('success', words.saved)
      onClose()
      return invalidate(listCeilings)
    },
    onError: (error) => {
      form.refused(error)
      if (!row || !isOutdated(error)) return undefined
      onClose()
      return invalidate(listCeilings)
    },
  })
  return (
    <ConfirmDialog
      open
      wide
      kind="info"
      onClose={onClose}
      title={row ? words.edit : words.add}
      action={words.save}
      busy={save.isPending}
      onConfirm={() => {
        const accepted = form.check(bodyOf({ ...values, deptId }, row))
        if (accepted) save.mutate({ accepted, typed: values })
      }}
    >
      <div className="form-grid">
        <UnloadedOptions queries={[depts, provinces]} />
        <SelectField
          label={words.dept}
          value={deptId}
          onChange={(picked) => set({ deptId: picked })}
          options={(depts.data ?? []).map((dept) => [String(dept.deptId), dept.deptName])}
          error={errors.deptId}
        />
        <Field label={words.category} error={errors.categoryId} required>
          {(control) => (
            <CategoryPicker
              id={control.id}
              value={values.categoryId}
              invalid={Boolean(errors.categoryId)}
              onChange={(categoryId) => set({ categoryId })}
            />
          )}
        </Field>
        <TextField
          label={withUnit(words.mainMin)}
          inputMode="decimal"
          value={values.mainMin}
          onChange={(mainMin) => set({ mainMin })}
          error={errors.mainMin}
        />
        <TextField
          label={withUnit(words.mainMax)}
          inputMode="decimal"
          value={values.mainMax}
          onChange={(mainMax) => set({ mainMax })}
          error={errors.mainMax}
        />
        <SelectField
          label={words.province}
          blank={words.everywhere}
          value={values.provinceId}
          onChange={(provinceId) => set({ provinceId })}
          options={(provinces.data ?? []).map((region) => [String(region.code), named(text, region)])}
        />
        <SelectField
          label={text.quote.form.rentUnit}
          value={values.rentUnit}
          onChange={(rentUnit) => set({ rentUnit })}
          options={rentUnits.map((unit) => [unit, text.equipment.unit[unit]])}
        />
        <SelectField
          label={text.demand.form.shift}
          value={values.shiftMode}
          onChange={(shiftMode) => set({ shiftMode })}
          options={shiftModes.map((mode) => [mode, text.demand.shift[mode]])}
        />
        <SelectField
          label={text.demand.duties.fuelBy}
          value={values.fuelBy}
          onChange={(fuelBy) => set({ fuelBy })}
          options={sides.map((side) => [side, text.demand.side[side]])}
        />
        <PriceAndPeriod values={values} errors={errors} onChange={set} />
        <div className="span-all row gap-24">
          <CheckField label={words.withOperator} value={values.withOperator} onChange={(withOperator) => set({ withOperator })} />
          <CheckField label={words.longTerm} value={values.longTerm} onChange={(longTerm) => set({ longTerm })} />
        </div>
        <DraftNote draft={draft} />
      </div>
    </ConfirmDialog>
  )
}

function PriceAndPeriod({
  values,
  errors,
  onChange,
}: {
  values: CeilingValues
  errors: Errors
  onChange: (change: Partial<CeilingValues>) => void
}) {
  const words = useText().ceiling
  return (
    <>
      <MoneyField label={words.price} required value={values.price} onChange={(price) => onChange({ price })} error={errors.price} />
      <DateField
        label={words.fromDay}
        required
        value={values.fromDay}
        onChange={(fromDay) => onChange({ fromDay })}
        error={errors.fromDay}
      />
      <DateField
        label={words.toDay}
        value={values.toDay}
        since={values.fromDay}
        presets="period"
        onChange={(toDay) => onChange({ toDay })}
        error={errors.toDay}
      />
    </>
  )
}
