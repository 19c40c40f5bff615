import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { listOwnCertifications, type Certification } from '#shared/certification/contract.ts'
import { getOwnEquipment } from '#shared/equipment/own.ts'
import { equipmentAudit, rentStatus } from '#shared/equipment/rules.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../app/api.ts'
import { useFollow } from '../app/follow.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { useCategoryQuery } from '../category/category-tree.ts'
import { Link } from '../ui/link.tsx'
import { MachineCalendar } from './equipment/machine-calendar.tsx'
import { MachineEditor } from './equipment/machine-editor.tsx'
import { isLockedMachine, type Yard } from './equipment/machine-form.ts'
import { MachineHistory } from '../equipment/machine-history.tsx'

/** Adds a machine, or edits one (`id`). */
export default function EquipmentFormPage() {
  const text = useText()
  const [params] = useSearchParams()
  const id = params.get('id')
  const tree = useCategoryQuery()
  const found = useQuery({
    queryKey: [getOwnEquipment.url, id],
    queryFn: () => call(getOwnEquipment, { params: { id: id ?? '0' } }),
    enabled: id !== null,
    // Each opening of the form begins with the machine as it is, whose version it sends.
    gcTime: 0,
  })
  useFollow('equipment', getOwnEquipment)
  // News of several machines at once is news of their company.
  useFollow('company', getOwnEquipment)
  const own = useQuery({
    queryKey: [listOwnCertifications.url, 'yard'],
    queryFn: () => call(listOwnCertifications, {}),
    enabled: id === null,
  })
  const needed = id === null ? [tree, own] : [tree, found]
  if (needed.some(({ data }) => data === undefined))
    return <Unloaded queries={needed} rows={5} back={<Link to={paths.ownMachines}>{text.equipment.own.title}</Link>} />
  const machine = found.data ?? null
  return (
    <div className="stack">
      {/* A review that ends unlocks the page: its form then starts with the machine as it is now. What is typed into the calendar stays. */}
      <MachineEditor key={`${id ?? 'new'}-${isLockedMachine(machine)}`} machine={machine} yard={yardIn(own.data)} />
      {machine && machine.rentStatus !== rentStatus.retired && machine.auditStatus !== equipmentAudit.draft && (
        <MachineCalendar key={machine.id} machine={machine} />
      )}
      {machine && <MachineHistory events={machine.events} />}
    </div>
  )
}

/** A new machine is presumed to stand at the address of the company's certification. */
function yardIn(certifications: readonly Certification[] | undefined): Yard | undefined {
  const form = certifications?.find(({ kind }) => kind === 'rentout')?.form
  const { provinceId, cityId, districtId, address } = form ?? {}
  if (typeof provinceId !== 'number' || typeof cityId !== 'number') return undefined
  return {
    provinceId,
    cityId,
    districtId: typeof districtId === 'number' ? districtId : null,
    yardAddress: typeof address === 'string' ? address.slice(0, 100) : '',
  }
}
