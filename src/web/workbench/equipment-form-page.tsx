import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { getOwnEquipment } from '#shared/equipment/own.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../app/api.ts'
import { useText } from '../app/text.tsx'
import { useCategories } from '../category/category-tree.ts'
import { Link } from '../ui/link.tsx'
import { Empty, Skeleton } from '../ui/parts.tsx'
import { MachineEditor } from './machine-editor.tsx'

/** Adds a machine, or edits one (`id`). */
export default function EquipmentFormPage() {
  const text = useText()
  const [params] = useSearchParams()
  const id = params.get('id')
  const categories = useCategories()
  const found = useQuery({
    queryKey: [getOwnEquipment.url, id],
    queryFn: () => call(getOwnEquipment, { params: { id: id ?? '0' } }),
    enabled: id !== null,
  })
  if (categories.size === 0 || (id !== null && found.isPending)) return <Skeleton rows={5} />
  if (found.isError) return <Empty title={text.refusal.not_found} action={<Link to={paths.ownMachines}>{text.equipment.own.title}</Link>} />
  return <MachineEditor key={id ?? 'new'} machine={found.data ?? null} />
}
