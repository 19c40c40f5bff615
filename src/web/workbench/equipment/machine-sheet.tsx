import type { OwnMachine } from '#shared/equipment/own.ts'
import { labelOf, money, named, number, placeName } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { useCategories } from '../../category/category-tree.ts'
import { FileThumbnail, PrivateImage } from '../../file/private-file.tsx'
import { FactRows, type Fact } from '../../ui/facts.tsx'

/** A machine that cannot be changed at present: in review, or out of use. Empty fields are left out. */
export function MachineSheet({ machine }: { machine: OwnMachine }) {
  const text = useText()
  const { upload } = text.equipment
  return (
    <>
      <Facts title={upload.sections.basics} facts={useBasics(machine)} />
      <Facts title={upload.sections.prices} facts={usePrices(machine)} />
      {machine.images.length > 0 && (
        <section className="panel">
          <h2>{upload.sections.photos}</h2>
          <ul className="photo-grid">
            {machine.images.map((id, index) => (
              <li key={id} className="photo">
                <PrivateImage id={id} alt={text.equipment.photo(index + 1)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {machine.papers.length > 0 && (
        <section className="panel">
          <h2>{upload.sections.papers}</h2>
          <ul className="papers">
            {machine.papers.map(({ kind, number: no, issuedBy, validTo, fileId, mime }) => (
              <li key={kind} className="paper">
                <strong>{text.equipment.document[kind]}</strong>
                {fileId && <FileThumbnail fileId={fileId} mime={mime ?? ''} label={text.equipment.document[kind]} />}
                <span className="small soft">
                  {[no, issuedBy, validTo && text.equipment.paperValid(validTo)].filter(Boolean).join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Facts({ title, facts }: { title: string; facts: readonly Fact[] }) {
  return (
    <section className="panel">
      <h2>{title}</h2>
      <dl className="facts">
        <FactRows facts={facts} />
      </dl>
    </section>
  )
}

/** Texts that have a line of their own. Every other text of a machine is shown under its label. */
const composedFacts = ['name', 'brand', 'model', 'outFactoryDate', 'ownership', 'originalValue', 'emissionStage', 'yardAddress']

function useBasics(machine: OwnMachine): Fact[] {
  const text = useText()
  const { fields, ownerships, cycles } = text.equipment.upload
  const params = useCategories().get(machine.categoryId)?.params ?? []
  const plain = (Object.keys(fields) as (keyof typeof fields)[]).flatMap((name): Fact[] => {
    const value = machine[name]
    return typeof value === 'string' && !composedFacts.includes(name) ? [[fields[name], value]] : []
  })
  return [
    [fields.categoryId, named(text, machine)],
    [fields.brand, named(text, { name: machine.brand, nameEn: machine.brandEn })],
    [fields.model, machine.model],
    ...params.map(({ key, label, labelEn, unit }): Fact => {
      const value = machine.specs[key]
      return [
        labelOf(text, { label, labelEn }),
        value === undefined ? null : `${typeof value === 'number' ? number(value) : value} ${unit}`.trim(),
      ]
    }),
    [fields.outFactoryDate, machine.outFactoryDate],
    [fields.workHours, machine.workHours === null ? null : number(machine.workHours)],
    [fields.ownership, ownerships[machine.ownership]],
    [fields.originalValue, machine.originalValue && money(machine.originalValue)],
    [fields.emissionStage, text.equipment.emission[machine.emissionStage]],
    [fields.totalQty, machine.isLot ? number(machine.totalQty) : null],
    [fields.yardAddress, `${placeName(text, machine)} ${machine.yardAddress}`.trim()],
    [fields.rentCycles, machine.rentCycles.map((cycle) => cycles[cycle]).join(' · ')],
    ...plain,
  ]
}

function usePrices(machine: OwnMachine): Fact[] {
  const text = useText()
  return machine.prices.map((price): Fact => [
    text.equipment.unit[price.rentUnit],
    [
      price.price === null ? text.equipment.negotiable : money(price.price),
      `${text.quote.form.taxRate} ${price.taxRate}%`,
      text.equipment.fuelBy[price.fuelBy],
      price.withOperator && text.equipment.withOperator,
    ]
      .filter(Boolean)
      .join(' · '),
  ])
}
