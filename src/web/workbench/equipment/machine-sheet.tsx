import type { OwnMachine } from '#shared/equipment/own.ts'
import { money } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { useMachineFacts, usePriceFacts } from '../../equipment/machine-facts.ts'
import { FileThumbnail, PrivateImage } from '../../file/private-file.tsx'
import { FactRows, type Fact } from '../../ui/facts.tsx'

/** A machine that cannot be changed at present: in review, or out of use. Empty fields are left out. */
export function MachineSheet({ machine }: { machine: OwnMachine }) {
  const text = useText()
  const { upload } = text.equipment
  return (
    <>
      <Facts
        title={upload.sections.basics}
        facts={[...useMachineFacts(machine), [upload.fields.originalValue, machine.originalValue && money(machine.originalValue)]]}
      />
      <Facts title={upload.sections.prices} facts={usePriceFacts(machine)} />
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
