import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { refreshProject } from '#shared/account/contract.ts'
import { ApiError, call } from './api.ts'
import { mayLeaveFor } from './leave-guards.ts'
import { setSwitching, storeSignIn, useSession } from './session.ts'
import { useText } from './text.tsx'
import { toast } from '../ui/toast.tsx'

/** Switches between the project departments of a person. They see the data of one department at a time. */
function useProjects() {
  const { safety } = useText().personal
  const { info } = useSession()
  const [busy, setBusy] = useState(false)
  const deptList = info?.user.deptList ?? []
  const change = async (id: number) => {
    // The page begins anew with the other department.
    if (busy || !(await mayLeaveFor(location.pathname + location.search))) return
    setBusy(true)
    setSwitching(true)
    try {
      storeSignIn(await call(refreshProject, { params: { id } }))
      toast('success', safety.switched(deptList.find((dept) => dept.deptId === id)?.deptName ?? ''))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    } finally {
      setSwitching(false)
      setBusy(false)
    }
  }
  return { deptList, current: info?.user.deptId ?? null, busy, change }
}

export function ProjectSwitch() {
  const { safety } = useText().personal
  const { deptList, current, busy, change } = useProjects()
  return (
    <select
      className="select project-switch"
      aria-label={safety.projects}
      aria-disabled={busy}
      value={current ?? ''}
      onChange={(event) => void change(Number(event.target.value))}
    >
      {deptList.map((dept) => (
        <option key={dept.deptId} value={dept.deptId}>
          {dept.deptName}
        </option>
      ))}
    </select>
  )
}

/**
 * The way to a record of another project department of the person, which the link of its message names (`inDept`). It stands in the place of a record
 * that is not found, and above a `list` that does not have it. A list is of each department, so its address forgets the named one once that is there.
 */
export function OtherProject({ list = false }: { list?: boolean }) {
  const { safety } = useText().personal
  const { deptList, current, busy, change } = useProjects()
  const [params, setParams] = useSearchParams()
  const named = deptList.find(({ deptId }) => String(deptId) === params.get('dept'))
  const isThere = named?.deptId === current
  useEffect(() => {
    if (!list || !isThere) return
    const without = (now: URLSearchParams) => new URLSearchParams([...now].filter(([name]) => name !== 'dept'))
    setParams(without, { replace: true, preventScrollReset: true })
  }, [list, isThere, setParams])
  if (!named || isThere) return null
  const words = safety.otherProject[list ? 'list' : 'record']
  return (
    <div className="row gap-8">
      <p>{words.lead(named.deptName)}</p>
      <button type="button" className="button button-primary" aria-disabled={busy} onClick={() => void change(named.deptId)}>
        {words.action}
      </button>
    </div>
  )
}
