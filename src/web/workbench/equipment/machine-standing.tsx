import type { OwnMachine } from '#shared/equipment/own.ts'
import { changeStatus, equipmentAudit } from '#shared/equipment/rules.ts'
import { paths } from '#shared/paths.ts'
import { colon } from '../../app/colon.ts'
import { useSiteName } from '../../app/site.ts'
import { useText } from '../../app/text.tsx'
import { shelfTone } from '../../equipment/machine-card.tsx'
import { Link } from '../../ui/link.tsx'
import { Head, Tag } from '../../ui/parts.tsx'

/** The title and the states of a machine, with a link back to the list. */
export function MachineHead({ machine, isLocked }: { machine: OwnMachine | null; isLocked: boolean }) {
  const text = useText()
  const words = text.equipment.upload
  const title = isLocked ? words.viewTitle : machine ? words.editTitle : words.title
  return (
    <>
      <Head title={title} site={useSiteName()} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.ownMachines}>{text.equipment.own.title}</Link>
        {machine && (
          <>
            {' '}
            / <span className="num">{machine.equipmentCode}</span>
          </>
        )}
      </nav>
      <header className="row between">
        <h1>{title}</h1>
        {machine && (
          <p className="row">
            <Tag
              tone={
                machine.auditStatus === equipmentAudit.passed ? 'good' : machine.auditStatus === equipmentAudit.rejected ? 'bad' : 'warn'
              }
            >
              {text.equipment.audit[machine.auditStatus]}
            </Tag>
            <Tag tone={shelfTone(machine.shelfStatus)}>{text.equipment.shelf[machine.shelfStatus]}</Tag>
            {machine.change?.status === changeStatus.waiting && <Tag tone="warn">{words.changing}</Tag>}
          </p>
        )}
      </header>
    </>
  )
}

/** The results of the review of a machine and of its change request. */
export function MachineStanding({ machine, busy, onWithdraw }: { machine: OwnMachine; busy: boolean; onWithdraw: () => void }) {
  const text = useText()
  const words = text.equipment.upload
  const { auditStatus, change } = machine
  const withdraw = (
    <button type="button" className="button button-small" aria-disabled={busy} onClick={onWithdraw}>
      {words.withdraw}
    </button>
  )
  return (
    <>
      {auditStatus === equipmentAudit.rejected && <p className="notice notice-warn">{words.rejectedFor(machine.auditReason)}</p>}
      {auditStatus === equipmentAudit.submitted && (
        <p className="notice row between">
          {words.inReview}
          {withdraw}
        </p>
      )}
      {auditStatus === equipmentAudit.passed && <p className="small soft">{words.keyHint}</p>}
      {change && (change.status === changeStatus.waiting || change.status === changeStatus.rejected) && (
        <section className={`notice ${change.status === changeStatus.rejected ? 'notice-warn' : ''}`}>
          <p className="row between">
            <strong>{change.status === changeStatus.rejected ? words.rejectedFor(change.reason) : words.changing}</strong>
            {change.status === changeStatus.waiting && withdraw}
          </p>
          <ul className="small">
            {change.fields.map(({ field, before, after }) => (
              <li key={field}>
                {field}
                {colon(text)}
                <s>{before}</s> → {after}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
