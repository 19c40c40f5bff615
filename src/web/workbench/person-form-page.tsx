import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { addPerson, editPerson, getDeptTree, getPerson, listPeople, type DeptNode } from '#shared/person/contract.ts'
import { listDepts } from '#shared/dept/contract.ts'
import { ApiError, call } from '../app/api.ts'
import { FormBar } from '../app/form-bar.tsx'
import { CheckField, SearchInput, SubmitForm, TextField } from '../ui/form-fields.tsx'
import type { AccountStatus } from '#shared/account/rules.ts'
import { deptType } from '#shared/dept/rules.ts'
import { invalidate } from '../app/queries.ts'
import { roleIn, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { peoplePaths } from '../app/workbench-menu.ts'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFirstField, useForm } from '../app/use-form.ts'
import { useNextPage } from '../app/use-next-page.ts'
import { Link } from '../ui/link.tsx'

export default function PersonFormPage() {
  const text = useText()
  const { organization } = text
  const site = useSiteName()
  const pages = peoplePaths(roleIn(useSession()))
  const [params] = useSearchParams()
  const id = Number(params.get('id')) || null
  const found = useQuery({
    queryKey: [getPerson.url, id],
    queryFn: () => call(getPerson, { params: { id: id ?? 0 } }),
    enabled: id !== null,
    // Each opening of the form begins with the person as they are, whose version it sends.
    gcTime: 0,
  })
  const tree = useQuery({ queryKey: [getDeptTree.url], queryFn: () => call(getDeptTree, {}) })
  const title = id ? organization.editUser : organization.addUser
  return (
    <div className="stack">
      <Head title={title} site={site} index={false} />
      <p className="small">
        <Link to={pages.list()}>{organization.people}</Link>
      </p>
      <h1>{title}</h1>
      {!tree.data || (id !== null && !found.data) ? (
        <Unloaded queries={id === null ? [tree] : [tree, found]} />
      ) : (
        <PersonForm key={id} tree={tree.data} found={found.data} deptId={Number(params.get('deptId')) || null} />
      )}
    </div>
  )
}

type PersonDetail = {
  userId: number
  name: string
  phonenumber: string
  deptIds: number[]
  isAdmin: boolean
  driverOnly: boolean
  status: AccountStatus
  version: number
}

type PersonBody = z.input<typeof addPerson.body>

/**
 * Stores a new person, or the one `edited`; gives their id. A new one stays where the SMS with their first password is not sent (`isUnsent`): the
 * refusal names them.
 */
async function store(
  body: PersonBody,
  edited?: Pick<PersonDetail, 'userId' | 'status'> & { version?: number },
): Promise<{ id: number; isUnsent: boolean }> {
  try {
    if (!edited) return { id: (await call(addPerson, { body })).userId, isUnsent: false }
    await call(editPerson, { body: { ...body, ...edited } })
    return { id: edited.userId, isUnsent: false }
  } catch (error) {
    const id = error instanceof ApiError ? (error.data as { userId?: number } | null)?.userId : undefined
    if (id === undefined) throw error
    return { id, isUnsent: true }
  }
}

/** The form that edits a person has no login name, and lists their departments in order. */
const asEdited = <V extends { deptIds: number[] }>(values: V): V => ({
  ...values,
  userName: '',
  deptIds: values.deptIds.toSorted((a, b) => a - b),
})

/** `deptId`: the department that a new person is added to from its list of people. */
function PersonForm({ tree, found, deptId }: { tree: DeptNode[]; found: PersonDetail | undefined; deptId: number | null }) {
  const text = useText()
  const { organization } = text
  const goOn = useNextPage()
  const session = useSession()
  const isLessor = roleIn(session) === 'leaser'
  const pages = peoplePaths(roleIn(session))
  const [busy, setBusy] = useState(false)
  // The version that the form was filled with, even if the person is fetched again meanwhile.
  const [version] = useState(found?.version)
  const [values, setValues] = useState({
    name: found?.name ?? '',
    userName: '',
    phonenumber: found?.phonenumber ?? '',
    deptIds: found?.deptIds ?? (isLessor ? [] : presumedDept(tree, deptId)),
    isAdmin: found?.isAdmin ?? false,
    driverOnly: found?.driverOnly ?? false,
  })
  const form = useForm(addPerson.body)
  useFirstField()
  const draft = useValuesDraft(`person-${found?.userId ?? 'new'}`, values, setValues)
  const [typed, setTyped] = useState('')
  const set = (change: Partial<typeof values>) => {
    setValues((before) => ({ ...before, ...change }))
    for (const name of Object.keys(change)) form.clear(name)
  }
  const submit = async () => {
    const { userName, ...rest } = values
    const body = form.check({ ...rest, ...(!found && userName.trim() && { userName }) })
    if (!body) return
    setBusy(true)
    try {
      const { id, isUnsent } = await store(body, found && { userId: found.userId, status: found.status, ...(version && { version }) })
      draft.saved(values, { name: `person-${id}`, address: pages.form(`?id=${id}`), convert: asEdited })
      if (!isUnsent) toast('success', found ? organization.saved : organization.added(body.name))
      await invalidate(listPeople, getPerson, listDepts)
      await goOn(pages.list())
    } catch (error) {
      form.refused(error)
    } finally {
      setBusy(false)
    }
  }
  const { errors } = form
  const listed = foundIn(tree, typed.trim().toLowerCase(), values.deptIds)
  const isSelf = found !== undefined && found.userId === session.info?.user.userId
  const projectsOnly = values.deptIds.length > 0 && typeOf(tree, values.deptIds[0] ?? 0) === deptType.project
  const toggle = (dept: DeptNode) => {
    if (values.deptIds.includes(dept.id)) return set({ deptIds: values.deptIds.filter((id) => id !== dept.id) })
    // A person belongs to several project departments or to one unit.
    const others = dept.deptType === deptType.project ? values.deptIds.filter((id) => typeOf(tree, id) === deptType.project) : []
    set({ deptIds: [...others, dept.id], ...(dept.deptType === deptType.project && { isAdmin: false }) })
  }
  return (
    <SubmitForm className="panel form-grid" onSubmit={() => void submit()}>
      <TextField
        label={organization.realName}
        error={errors.name}
        required
        maxLength={20}
        value={values.name}
        onChange={(name) => set({ name })}
      />
      <TextField
        label={organization.mobile}
        hint={found ? undefined : organization.mobileHint}
        error={errors.phonenumber}
        required
        type="tel"
        maxLength={11}
        value={values.phonenumber}
        onChange={(phonenumber) => set({ phonenumber })}
      />
      {!found && (
        <TextField
          label={organization.userName}
          hint={organization.userNameHint}
          error={errors.userName}
          maxLength={30}
          value={values.userName}
          onChange={(userName) => set({ userName })}
        />
      )}
      {isLessor ? (
        <CompanyDuties values={values} isSelf={isSelf} error={errors.driverOnly} onChange={set} />
      ) : (
        <>
          <fieldset className={`checks span-all ${errors.deptIds ? 'field-bad' : ''}`}>
            <legend className="legend">
              {organization.dept}
              <span className="field-required" aria-hidden="true">
                *
              </span>
            </legend>
            <p className={errors.deptIds ? 'field-error' : 'field-hint'}>{errors.deptIds ?? organization.deptHint}</p>
            <SearchInput label={organization.findDept} value={typed} onChange={setTyped} />
            <Branch nodes={listed} level={0} chosen={values.deptIds} before={found?.deptIds ?? []} onToggle={toggle} />
          </fieldset>
          {!projectsOnly && (
            <div className="span-all">
              <CheckField label={organization.isAdmin} value={values.isAdmin} disabled={isSelf} onChange={(isAdmin) => set({ isAdmin })} />
            </div>
          )}
        </>
      )}
      <div className="span-all">
        <FormBar draft={draft} errors={Object.keys(errors).length}>
          <Link className="button" to={pages.list()}>
            {text.site.common.back}
          </Link>
          <button type="submit" className="button button-primary" aria-disabled={busy}>
            {organization.save}
          </button>
        </FormBar>
      </div>
    </SubmitForm>
  )
}

type Duties = { isAdmin: boolean; driverOnly: boolean }

/** What somebody of a lessor is: an administrator, a driver only, or neither. */
function CompanyDuties({
  values,
  isSelf,
  error,
  onChange,
}: {
  values: Duties
  isSelf: boolean
  error: string | undefined
  onChange: (change: Partial<Duties>) => void
}) {
  const { organization } = useText()
  return (
    <div className="span-all stack gap-8">
      <CheckField
        label={organization.isCompanyAdmin}
        value={values.isAdmin}
        disabled={isSelf || values.driverOnly}
        onChange={(isAdmin) => onChange({ isAdmin })}
      />
      <CheckField
        label={organization.driverOnlyLabel}
        value={values.driverOnly}
        disabled={isSelf || values.isAdmin}
        onChange={(driverOnly) => onChange({ driverOnly })}
      />
      <p className={`small ${error ? 'field-error' : 'soft'}`}>
        {error ?? (isSelf ? organization.driverOnlyOther : organization.driverOnlyHint)}
      </p>
    </div>
  )
}

/** The department in which a new person is presumed to be: the one whose people were listed, or the only one there is. */
function presumedDept(tree: readonly DeptNode[], deptId: number | null): number[] {
  const open = openIn(tree)
  return open.filter((id) => id === deptId || open.length === 1)
}

const openIn = (nodes: readonly DeptNode[]): number[] =>
  nodes.flatMap((node) => [...(node.disabled ? [] : [node.id]), ...openIn(node.children ?? [])])

/** The departments whose name has the word, with those above them; a chosen one always stays in sight. */
function foundIn(nodes: readonly DeptNode[], word: string, chosen: readonly number[]): DeptNode[] {
  return nodes.flatMap((node) => {
    const children = foundIn(node.children ?? [], word, chosen)
    const isFound = node.label.toLowerCase().includes(word) || chosen.includes(node.id)
    return isFound || children.length > 0 ? [{ ...node, children }] : []
  })
}

function typeOf(nodes: readonly DeptNode[], id: number): string | null {
  for (const node of nodes) {
    const type = node.id === id ? node.deptType : typeOf(node.children ?? [], id)
    if (type) return type
  }
  return null
}

function Branch({
  nodes,
  level,
  chosen,
  before,
  onToggle,
}: {
  nodes: readonly DeptNode[]
  level: number
  chosen: readonly number[]
  before: readonly number[]
  onToggle: (node: DeptNode) => void
}) {
  const { organization } = useText()
  return (
    <ul style={{ paddingLeft: level === 0 ? 0 : 22 }}>
      {nodes.map((node) => (
        <li key={node.id}>
          <label className="check">
            <input
              type="checkbox"
              checked={chosen.includes(node.id)}
              disabled={node.disabled && !chosen.includes(node.id) && !before.includes(node.id)}
              onChange={() => onToggle(node)}
            />
            <span>
              {node.label} <span className="small faint unbroken">{organization.types[node.deptType]}</span>
            </span>
          </label>
          {node.children && <Branch nodes={node.children} level={level + 1} chosen={chosen} before={before} onToggle={onToggle} />}
        </li>
      ))}
    </ul>
  )
}
