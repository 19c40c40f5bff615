import { useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { addDays, dayOf } from '#shared/calendar.ts'
import { listDepts } from '#shared/dept/contract.ts'
import { emissionStages } from '#shared/equipment/rules.ts'
import { listInternal, saveInternal, type InternalMachine } from '#shared/internal/contract.ts'
import { mainParam } from '#shared/main-param.ts'
import { labelOf } from '../../app/format.ts'
import { DateField } from '../../app/date-field.tsx'
import { call } from '../../app/api.ts'
import { DraftNote } from '../../app/form-bar.tsx'
import { MoneyField } from '../../app/money-field.tsx'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { isOutdated } from '../../app/outdated.ts'
import { SelectField, TextField } from '../../ui/form-fields.tsx'
import { PlacePicker } from '../../region/place-picker.tsx'
import { invalidate } from '../../app/queries.ts'
import { useCategories } from '../../category/category-tree.ts'
import { UnloadedOptions } from '../../app/list-frame.tsx'
import { useText } from '../../app/text.tsx'
import { useValuesDraft } from '../../app/use-local-draft.ts'
import { Field } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { useFields, type Errors } from '../../app/use-form.ts'
import { CategoryPicker } from '../../category/pickers.tsx'

const initialOf = (machine: InternalMachine | null, today: string) => ({
  deptId: machine ? String(machine.deptId) : '',
  fatherCategoryId: machine?.fatherCategoryId ?? null,
  categoryId: machine?.categoryId ?? null,
  name: machine?.name ?? '',
  brand: machine?.brand ?? '',
  model: machine?.model ?? '',
  mainValue: machine?.mainValue ? String(machine.mainValue) : '',
  emissionStage: machine?.emissionStage ?? ('none' as const),
  provinceId: machine?.provinceId ?? null,
  cityId: machine?.cityId ?? null,
  place: machine?.place ?? '',
  innerPrice: machine?.innerPrice ?? '',
  freeFrom: machine?.freeFrom ?? today,
  freeTo: machine?.freeTo ?? addDays(today, 180),
  note: machine?.note ?? '',
})

/** Offers an idle machine within the group, or edits such an offer. */
export function InternalForm({ machine, onClose }: { machine: InternalMachine | null; onClose: () => void }) {
  const text = useText()
  const words = text.internal
  const { upload } = text.equipment
  const categories = useCategories()
  const depts = useQuery({ queryKey: [listDepts.url], queryFn: () => call(listDepts, {}) })
  const today = dayOf(new Date())
  const form = useFields(saveInternal.body, initialOf(machine, today))
  const { values, setValues, change: set, errors } = form
  const draft = useValuesDraft(`internal-${machine?.id ?? 'new'}`, values, setValues, { quiet: true })
  const body = () => ({
    ...values,
    deptId: values.deptId || String(depts.data?.[0]?.deptId ?? ''),
    fatherCategoryId: values.fatherCategoryId ?? undefined,
    categoryId: values.categoryId ?? undefined,
    provinceId: values.provinceId ?? undefined,
    cityId: values.cityId ?? undefined,
    mainValue: values.mainValue.trim() === '' ? null : Number(values.mainValue),
    innerPrice: values.innerPrice || null,
    ...(machine && { id: machine.id, version: machine.version }),
  })
  const save = useMutation({
    mutationFn: ({ accepted }: { accepted: z.input<typeof saveInternal.body>; typed: typeof values }) =>
      call(saveInternal, { body: accepted }),
    onSuccess: ({ id }, { typed }) => {
      // What was typed meanwhile is a draft of what is stored now.
      draft.saved(typed, { name: `internal-${id}` })
      toast('success', words.saved)
      onClose()
      return invalidate(listInternal)
    },
    onError: (error) => {
      form.refused(error)
      if (!machine || !isOutdated(error)) return undefined
      onClose()
      return invalidate(listInternal)
    },
  })
  const category = values.categoryId === null ? undefined : categories.get(values.categoryId)
  const main = mainParam(category?.params)
  return (
    <ConfirmDialog
      open
      wide
      kind="info"
      onClose={onClose}
      title={machine ? words.edit : words.add}
      action={words.save}
      busy={save.isPending}
      onConfirm={() => {
        const accepted = form.check(body())
        if (accepted) save.mutate({ accepted, typed: values })
      }}
    >
      <div className="form-grid">
        <UnloadedOptions queries={[depts]} />
        <SelectField
          label={words.dept}
          value={values.deptId || String(depts.data?.[0]?.deptId ?? '')}
          onChange={(deptId) => set({ deptId })}
          options={(depts.data ?? []).map((dept) => [String(dept.deptId), dept.deptName])}
          error={errors.deptId}
        />
        <Field label={upload.fields.categoryId} error={errors.categoryId ?? errors.fatherCategoryId} required>
          {(control) => (
            <CategoryPicker
              id={control.id}
              value={values.categoryId}
              invalid={Boolean(errors.categoryId)}
              onChange={(categoryId, fatherCategoryId) => set({ categoryId, fatherCategoryId })}
            />
          )}
        </Field>
        <TextField label={words.name} required maxLength={60} value={values.name} onChange={(name) => set({ name })} error={errors.name} />
        <TextField label={upload.fields.brand} maxLength={40} value={values.brand} onChange={(brand) => set({ brand })} />
        <TextField label={upload.fields.model} maxLength={40} value={values.model} onChange={(model) => set({ model })} />
        <TextField
          label={main ? `${labelOf(text, main)} (${main.unit})` : words.mainValue}
          inputMode="decimal"
          value={values.mainValue}
          onChange={(mainValue) => set({ mainValue })}
          error={errors.mainValue}
        />
        <SelectField
          label={upload.fields.emissionStage}
          value={values.emissionStage}
          onChange={(emissionStage) => set({ emissionStage })}
          options={emissionStages.map((stage) => [stage, text.equipment.emission[stage]])}
        />
        <PlacePicker
          value={{ ...values, districtId: null }}
          onChange={({ provinceId, cityId }) => set({ provinceId, cityId })}
          error={errors.cityId ?? errors.provinceId}
        />
        <TextField label={words.place} maxLength={100} value={values.place} onChange={(place) => set({ place })} />
        <MoneyField
          label={words.innerPrice}
          hint={words.innerPriceHint}
          value={values.innerPrice}
          onChange={(innerPrice) => set({ innerPrice })}
          error={errors.innerPrice}
        />
        <FreePeriod values={values} errors={errors} onChange={set} />
        <TextField label={words.note} maxLength={500} value={values.note} onChange={(note) => set({ note })} />
        <DraftNote draft={draft} />
      </div>
    </ConfirmDialog>
  )
}

type Period = Pick<ReturnType<typeof initialOf>, 'freeFrom' | 'freeTo'>

/** From when to when the machine is free. */
function FreePeriod({ values, errors, onChange }: { values: Period; errors: Errors; onChange: (change: Partial<Period>) => void }) {
  const words = useText().internal
  return (
    <>
      <DateField
        label={words.freeFrom}
        required
        value={values.freeFrom}
        onChange={(freeFrom) => onChange({ freeFrom })}
        error={errors.freeFrom}
      />
      <DateField
        label={words.freeTo}
        required
        value={values.freeTo}
        since={values.freeFrom}
        presets="period"
        onChange={(freeTo) => onChange({ freeTo })}
        error={errors.freeTo}
      />
    </>
  )
}
