import { useState } from 'react'
import { refreshProject } from '#shared/account/contract.ts'
import { ApiError, call } from './api.ts'
import { queries } from './queries.ts'
import { setSwitching, storeSignIn, useSession } from './session.ts'
import { useText } from './text.tsx'
import { toast } from '../ui/toast.tsx'

/** Switches between the project departments of a person. They see the data of one department at a time. */
export function ProjectSwitch() {
  const { safety } = useText().personal
  const { info } = useSession()
  const [busy, setBusy] = useState(false)
  if (!info) return null
  const { deptId, deptList } = info.user
  const change = async (id: number) => {
    setBusy(true)
    setSwitching(true)
    try {
      storeSignIn(await call(refreshProject, { params: { id } }))
      queries.clear()
      toast('success', safety.switched(deptList.find((dept) => dept.deptId === id)?.deptName ?? ''))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    } finally {
      setSwitching(false)
      setBusy(false)
    }
  }
  return (
    <select
      className="select project-switch"
      aria-label={safety.projects}
      aria-disabled={busy}
      value={deptId ?? ''}
      onChange={(event) => busy || void change(Number(event.target.value))}
    >
      {deptList.map((dept) => (
        <option key={dept.deptId} value={dept.deptId}>
          {dept.deptName}
        </option>
      ))}
    </select>
  )
}
