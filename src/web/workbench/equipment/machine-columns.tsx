import { dayOf } from '#shared/calendar.ts'
import type { OwnEquipment } from '#shared/equipment/contract.ts'
import { dueOf, equipmentAudit, freshness, isStale, rentStatus, shelfStatus } from '#shared/equipment/rules.ts'
import { paths } from '#shared/paths.ts'
import { day, machineName, money, named, placeName } from '../../app/format.ts'
import { Period } from '../../app/period.tsx'
import { useText } from '../../app/text.tsx'
import type { WorkColumn } from '../../app/work-table.tsx'
import { Cover, shelfTone } from '../../equipment/machine-card.tsx'
import { PrivateImage } from '../../file/private-file.tsx'
import { storedFileId } from '../../file/stored-picture.ts'
import { Link } from '../../ui/link.tsx'
import { Tag } from '../../ui/parts.tsx'

/** The columns of a lessor's own machines. */
export function useMachineColumns(): WorkColumn<OwnEquipment>[] {
  const text = useText()
  const { own } = text.equipment
  const words = text.list.machine
  return [
    {
      id: 'name',
      label: text.equipment.name,
      sort: 'name',
      whole: true,
      cell: (machine) => (
        <div className="work-machine">
          <OwnCover machine={machine} />
          <div>
            <Link to={paths.editMachine(machine.id)}>{machineName(text, machine)}</Link>
            <p className="small faint">
              {named(text, machine)} · <span className="num">{machine.equipmentCode}</span>
              {machine.factoryNo && (
                <span className="num block">
                  {own.factoryNo} {machine.factoryNo}
                </span>
              )}
            </p>
          </div>
        </div>
      ),
    },
    { id: 'status', label: text.site.common.status, cell: (machine) => <MachineStates machine={machine} /> },
    {
      id: 'price',
      label: text.equipment.price,
      sort: 'monthPrice',
      num: true,
      cell: ({ monthPrice }) => money(monthPrice) || text.equipment.negotiable,
    },
    { id: 'papers', label: text.equipment.papers, className: 'small', cell: (machine) => <ValidDocuments machine={machine} /> },
    { id: 'bookings', label: own.bookings, className: 'small', cell: (machine) => <NextBookings machine={machine} /> },
    {
      id: 'confirmedAt',
      label: words.confirmedAt,
      sort: 'confirmedAt',
      className: 'num',
      cell: (machine) =>
        isStale(machine, new Date()) ? (
          <>
            {day(machine.confirmedAt)}
            <br />
            <Tag tone="warn">{words.unconfirmed(freshness.remindDays)}</Tag>
          </>
        ) : (
          day(machine.confirmedAt)
        ),
    },
    {
      id: 'outFactoryDate',
      label: text.equipment.upload.fields.outFactoryDate ?? '',
      sort: 'outFactoryDate',
      className: 'num',
      extra: true,
      cell: ({ outFactoryDate }) => outFactoryDate,
    },
    { id: 'region', label: text.equipment.location, extra: true, cell: (machine) => placeName(text, machine) },
  ]
}

/** A photo is public while its machine is on the shelf; until then only its lessor may fetch it. */
function OwnCover({ machine }: { machine: OwnEquipment }) {
  const isPublic = machine.auditStatus === equipmentAudit.passed && machine.shelfStatus === shelfStatus.on
  const id = machine.cover !== null && !isPublic ? storedFileId(machine.cover) : undefined
  if (!id) return <Cover machine={machine} />
  return (
    <div className="cover">
      <PrivateImage id={id} alt={machine.name} />
    </div>
  )
}

function MachineStates({ machine }: { machine: OwnEquipment }) {
  const { equipment } = useText()
  return (
    <span className="row gap-4">
      <Tag tone={shelfTone(machine.shelfStatus)}>{equipment.shelf[machine.shelfStatus]}</Tag>
      {machine.auditStatus !== equipmentAudit.passed && <Tag tone="warn">{equipment.audit[machine.auditStatus]}</Tag>}
      {machine.changing && <Tag tone="warn">{equipment.upload.changing}</Tag>}
      {machine.rentStatus !== rentStatus.available && <Tag tone="amber">{equipment.rentStatus[machine.rentStatus]}</Tag>}
    </span>
  )
}

function ValidDocuments({ machine: { documents } }: { machine: OwnEquipment }) {
  const text = useText()
  const today = dayOf(new Date())
  const ending = documents.filter(({ validTo }) => validTo !== null)
  return (
    <span>
      {ending.length === 0 && (documents.length > 0 ? text.equipment.paperForever : text.site.common.none)}
      {ending.map((paper) => (
        <span key={paper.kind} className="block">
          {text.equipment.document[paper.kind]} <ValidTo day={paper.validTo ?? ''} today={today} />
        </span>
      ))}
    </span>
  )
}

/** The last day of a paper, in the colour of how soon it comes. */
function ValidTo({ day: lastDay, today }: { day: string; today: string }) {
  const due = dueOf(lastDay, today)
  return due === null ? (
    <span className="num soft">{lastDay}</span>
  ) : (
    <Tag tone={due === 90 ? 'amber' : due === 30 ? 'warn' : 'bad'}>
      <span className="num">{lastDay}</span>
    </Tag>
  )
}

/** The next periods in which the machine is taken; of a lot, how many of its units are, today and in each period. */
function NextBookings({ machine: { bookings, isLot, totalQty } }: { machine: OwnEquipment }) {
  const { equipment, list } = useText()
  const today = dayOf(new Date())
  const taken = bookings.filter(({ from, to }) => from <= today && today < to).reduce((sum, { qty }) => sum + qty, 0)
  return (
    <span>
      {bookings.length === 0 && equipment.calendarFree}
      {isLot && bookings.length > 0 && <strong className="block">{list.machine.lotTaken(taken, totalQty)}</strong>}
      {bookings.slice(0, 3).map((booking) => (
        <span key={booking.from + booking.to + booking.reason} className="block">
          <Period from={booking.from} to={booking.to} />{' '}
          <span className="num">
            {equipment.own.booked[booking.reason]}
            {isLot && ` ×${booking.qty}`}
          </span>
        </span>
      ))}
    </span>
  )
}
