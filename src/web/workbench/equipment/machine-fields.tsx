import type { ReactNode } from 'react'
import { useWatch, type FieldPathByValue } from 'react-hook-form'
import type { Category } from '#shared/category/contract.ts'
import type { OwnMachine } from '#shared/equipment/own.ts'
import { emissionStages, rentCycles } from '#shared/equipment/rules.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { mainParam } from '#shared/main-param.ts'
import { labelOf } from '../../app/format.ts'
import { AreaField, CheckField, ControlField, DateField, MoneyField, SelectField, TextField } from '../../app/form.tsx'
import { useText } from '../../app/text.tsx'
import { useCategories } from '../../category/category-tree.ts'
import { PlacePicker } from '../../region/place-picker.tsx'
import { CheckField as PlainCheck } from '../../ui/form-fields.tsx'
import type { MachineForm, MachineFormState } from './machine-form.ts'
import { MachineDocuments } from './machine-documents.tsx'
import { MachinePhotos } from './machine-photos.tsx'
import { MachinePrices } from './machine-prices.tsx'
import { CategoryPicker } from '../../category/pickers.tsx'

type Part = { form: MachineFormState }

/** The fields of a machine. Those that depend on its category appear once it is picked. */
export function MachineFields({ form, machine }: Part & { machine: OwnMachine | null }) {
  const { equipment, rule } = useText()
  const { sections } = equipment.upload
  const categories = useCategories()
  const categoryId = useWatch({ control: form.control, name: 'categoryId' })
  const category = categoryId === null ? undefined : categories.get(categoryId)
  return (
    <div className="stack">
      <Section title={sections.basics}>
        <BasicFields form={form} />
      </Section>
      {category && (
        <>
          <Section title={sections.specs}>
            {machine?.change?.categoryWaits && categoryId === machine.categoryId && <p className="notice">{rule.codes.category_waits}</p>}
            <SpecFields form={form} params={category.params} />
          </Section>
          <Section title={sections.identity}>
            <IdentityFields form={form} flags={category.flags} />
          </Section>
        </>
      )}
      <Section title={sections.place}>
        <PlaceFields form={form} />
      </Section>
      <Section title={sections.prices}>
        <MachinePrices form={form} />
      </Section>
      <Section title={sections.photos} required>
        <MachinePhotos form={form} />
      </Section>
      {category && (
        <Section title={sections.papers}>
          <MachineDocuments form={form} category={category} />
        </Section>
      )}
      <Section title={sections.more}>
        <MoreFields form={form} />
      </Section>
    </div>
  )
}

function Section({ title, required = false, children }: { title: string; required?: boolean; children: ReactNode }) {
  return (
    <section className="panel stack">
      <h2>
        {title}
        {required && (
          <span className="field-required" aria-hidden="true">
            *
          </span>
        )}
      </h2>
      {children}
    </section>
  )
}

type LineName = FieldPathByValue<MachineForm, string> & keyof Text['equipment']['upload']['fields']

/** A text field, labelled by the words of its name. */
type LineProps = Part & { name: LineName; maxLength: number; required?: boolean; hint?: string; className?: string }

function Line({ form, name, ...rest }: LineProps) {
  return <TextField form={form} name={name} label={useText().equipment.upload.fields[name]} {...rest} />
}

function BasicFields({ form }: Part) {
  const words = useText().equipment.upload
  const categories = useCategories()
  const [categoryId, isLot] = useWatch({ control: form.control, name: ['categoryId', 'isLot'] })
  return (
    <div className="form-grid">
      <ControlField
        form={form}
        name={form.errorAt('categoryId') === undefined ? 'fatherCategoryId' : 'categoryId'}
        label={words.fields.categoryId}
        required
        className="span-all"
      >
        {(control) => (
          <CategoryPicker
            id={control.id}
            value={categoryId}
            invalid={form.errorAt('categoryId') !== undefined}
            onChange={(id, fatherCategoryId, size) => {
              const main = mainParam(categories.get(id)?.params)
              form.change({
                categoryId: id,
                fatherCategoryId,
                ...(main && size && { specs: { ...form.getValues('specs'), [main.key]: size } }),
              })
            }}
          />
        )}
      </ControlField>
      <Line form={form} name="brand" required maxLength={40} />
      <Line form={form} name="model" required maxLength={40} />
      <Line form={form} name="name" maxLength={60} hint={words.nameHint} />
      <DateField form={form} name="outFactoryDate" label={words.fields.outFactoryDate} required />
      <Line form={form} name="manufacturer" maxLength={60} />
      <TextField form={form} name="workHours" label={words.fields.workHours} inputMode="decimal" />
      <SelectField form={form} name="ownership" label={words.fields.ownership} options={Object.entries(words.ownerships)} />
      <MoneyField form={form} name="originalValue" label={words.fields.originalValue} />
      <div className="span-all">
        <CheckField form={form} name="isLot" label={words.fields.isLot} />
      </div>
      {isLot && <TextField form={form} name="totalQty" label={words.fields.totalQty} inputMode="numeric" required />}
    </div>
  )
}

function SpecFields({ form, params }: Part & { params: Category['params'] }) {
  const text = useText()
  return (
    <div className="form-grid">
      {params.map((param) => {
        const label = labelOf(text, param)
        return (
          <TextField
            key={param.key}
            form={form}
            name={`specs.${param.key}`}
            label={param.unit ? `${label} (${param.unit})` : label}
            required={param.main}
            inputMode={param.type === 'number' ? 'decimal' : 'text'}
            maxLength={60}
          />
        )
      })}
    </div>
  )
}

/** The registration numbers that the law requires for a machine of this category. */
function IdentityFields({ form, flags }: Part & { flags: Category['flags'] }) {
  const text = useText()
  const emissionStage = useWatch({ control: form.control, name: 'emissionStage' })
  return (
    <div className="form-grid">
      <Line form={form} name="factoryNo" maxLength={30} required={flags.specialEquipment || flags.erection} />
      <SelectField
        form={form}
        name="emissionStage"
        label={text.equipment.upload.fields.emissionStage}
        term="emission"
        required={flags.nonRoad}
        options={emissionStages.map((stage) => [stage, text.equipment.emission[stage]])}
      />
      {flags.nonRoad && <Line form={form} name="envCode" maxLength={20} required={emissionStage !== 'electric'} />}
      {flags.roadVehicle && (
        <>
          <Line form={form} name="plateNo" maxLength={8} required />
          <Line form={form} name="vin" maxLength={17} required />
        </>
      )}
      {flags.specialEquipment && (
        <>
          <Line form={form} name="deviceCode" maxLength={40} />
          <Line form={form} name="registrationNo" maxLength={40} required />
          <Line form={form} name="registrationOffice" maxLength={60} />
        </>
      )}
      {flags.buildingLifting && (
        <>
          <Line form={form} name="filingNo" maxLength={40} required />
          <Line form={form} name="filingOffice" maxLength={60} />
        </>
      )}
    </div>
  )
}

function PlaceFields({ form }: Part) {
  const [provinceId, cityId, districtId] = useWatch({ control: form.control, name: ['provinceId', 'cityId', 'districtId'] })
  return (
    <div className="form-grid">
      <PlacePicker
        value={{ provinceId, cityId, districtId }}
        onChange={form.change}
        error={form.errorAt('cityId') ?? form.errorAt('provinceId')}
      />
      <Line form={form} name="yardAddress" maxLength={100} />
    </div>
  )
}

function MoreFields({ form }: Part) {
  const words = useText().equipment.upload
  const chosen = useWatch({ control: form.control, name: 'rentCycles' })
  return (
    <div className="form-grid">
      <fieldset className="span-all row gap-24">
        <legend className="legend">{words.fields.rentCycles}</legend>
        {rentCycles.map((cycle) => (
          <PlainCheck
            key={cycle}
            label={words.cycles[cycle]}
            value={chosen.includes(cycle)}
            onChange={(on) => form.change({ rentCycles: on ? [...chosen, cycle] : chosen.filter((one) => one !== cycle) })}
          />
        ))}
      </fieldset>
      <Line form={form} name="transportNote" maxLength={200} className="span-all" />
      <AreaField form={form} name="description" label={words.fields.description} maxLength={2000} />
    </div>
  )
}
