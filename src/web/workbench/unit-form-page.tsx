import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { z } from 'zod'
import { addDept, addLease, editDept, LeaseUnit, listDepts, ProjectDept, type Dept } from '#shared/dept/contract.ts'
import { projectTypeIn } from '#shared/dept/project-type.ts'
import { deptType, mayHaveChildren } from '#shared/dept/rules.ts'
import { projectTypes } from '#shared/demand/rules.ts'
import { getDeptTree } from '#shared/person/contract.ts'
import { listOwnDepts } from '#shared/company/contract.ts'
import { call } from '../app/api.ts'
import { FormBar } from '../app/form-bar.tsx'
import { CheckField, SelectField, TextField, SubmitForm } from '../ui/form-fields.tsx'
import { paths } from '#shared/paths.ts'
import { enableStatus } from '#shared/rules.ts'
import { PeoplePicker } from '../person/people-picker.tsx'
import { PlacePicker } from '../region/place-picker.tsx'
import { invalidate } from '../app/queries.ts'
import { useSiteName } from '../app/site.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { Empty, Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFirstField, useForm, type Errors } from '../app/use-form.ts'
import { useNextPage } from '../app/use-next-page.ts'
import { Link } from '../ui/link.tsx'

/** Adds or edits a subordinate unit (addlease) or a project department (adddept). */
export default function UnitFormPage() {
  const text = useText()
  const { organization } = text
  const site = useSiteName()
  const adds = useLocation().pathname.includes('adddept')
  const [params] = useSearchParams()
  const id = Number(params.get('id')) || null
  const list = useQuery({
    queryKey: [listDepts.url, 'form', id],
    queryFn: () => call(listDepts, {}),
    // Each opening of the form begins with the unit as it is, whose version it sends.
    staleTime: Infinity,
    gcTime: 0,
  })
  const found = id === null ? undefined : list.data?.find(({ deptId }) => deptId === id)
  const project = found ? found.deptType === deptType.project : adds
  const title = project ? (id ? organization.editDept : organization.addDept) : id ? organization.editLease : organization.addLease
  return (
    <div className="stack">
      <Head title={title} site={site} index={false} />
      <p className="small">
        <Link to={paths.units}>{organization.list}</Link>
      </p>
      <h1>{title}</h1>
      {!list.data ? (
        <Unloaded queries={[list]} />
      ) : id !== null && !found ? (
        <div className="panel">
          <Empty title={text.refusal.not_found} />
        </div>
      ) : (
        <UnitForm
          key={`${project}-${id}`}
          project={project}
          depts={list.data}
          found={found}
          parentId={Number(params.get('parentId')) || (list.data[0]?.deptId ?? 0)}
        />
      )}
    </div>
  )
}

/** Drops the fields that only a project department has. */
function unitIn<V extends { projectName: string; projectType: string; address: string; lowEmissionZone: boolean }>(values: V) {
  const { projectName: _name, projectType: _type, address: _address, lowEmissionZone: _zone, ...unit } = values
  return unit
}

const initialOf = (found: Dept | undefined, parentId: number) => ({
  parentId: String(found?.parentId ?? (found ? '' : parentId)),
  deptName: found?.deptName ?? '',
  leader: found?.leader ?? '',
  phone: found?.phone ?? '',
  orderNum: String(found?.orderNum ?? 0),
  projectName: found?.projectName ?? '',
  projectType: found?.projectType ?? '',
  provinceId: found?.provinceId ?? null,
  cityId: found?.cityId ?? null,
  districtId: found?.districtId ?? null,
  address: found?.address ?? '',
  lowEmissionZone: found?.lowEmissionZone ?? false,
  approvesDemands: found?.approvesDemands ?? false,
  approvesAwards: found?.approvesAwards ?? false,
  approvesContracts: found?.approvesContracts ?? false,
  needsScan: found?.needsScan ?? true,
})

const draftName = (project: boolean, id: number | 'new') => `unit-${project ? 'project' : 'unit'}-${id}`

/** Stores a new unit or project department, or the one `edited`; gives its id. */
async function store(
  body: z.input<typeof ProjectDept> | z.input<typeof LeaseUnit>,
  {
    parentId,
    edited,
  }: { parentId: string | number | null; edited: (Pick<Dept, 'deptId' | 'deptType'> & { version: number | undefined }) | undefined },
): Promise<number> {
  if (!edited) return (await ('projectName' in body ? call(addDept, { body }) : call(addLease, { body }))).deptId
  const { deptId, version } = edited
  const stored = { deptId, ...(version && { version }) }
  if ('projectName' in body)
    await call(editDept, { body: { ...body, ...stored, deptType: deptType.project, parentId: parentId ?? body.parentId } })
  else if (edited.deptType !== deptType.project) await call(editDept, { body: { ...body, ...stored, deptType: edited.deptType, parentId } })
  return deptId
}

function UnitForm({ project, depts, found, parentId }: { project: boolean; depts: Dept[]; found: Dept | undefined; parentId: number }) {
  const text = useText()
  const { organization } = text
  const goOn = useNextPage()
  const [busy, setBusy] = useState(false)
  // The version that the form was filled with, even if the unit is fetched again meanwhile.
  const [version] = useState(found?.version)
  const [values, setValues] = useState(initialOf(found, parentId))
  const form = useForm(project ? ProjectDept : LeaseUnit)
  useFirstField()
  const draft = useValuesDraft(draftName(project, found?.deptId ?? 'new'), values, setValues)
  const set = (change: Partial<typeof values>) => {
    setValues((before) => ({ ...before, ...change }))
    for (const name of Object.keys(change)) form.clear(name)
  }
  // A unit cannot be placed under itself or its own descendants, and nothing can be placed under a project department.
  const parents = depts.filter(
    (dept) =>
      mayHaveChildren(dept.deptType) &&
      dept.status === enableStatus.enabled &&
      dept.deptId !== found?.deptId &&
      !dept.ancestors.includes(found?.deptId ?? 0),
  )
  const moves = !found || parents.some(({ deptId }) => deptId === found.parentId)
  const submit = async () => {
    // The parent of the person's own unit is out of their scope, so it cannot change.
    const typed = { ...values, parentId: moves ? values.parentId : (depts[0]?.deptId ?? 0) }
    const body = form.check(project ? typed : unitIn(typed))
    if (!body) return
    setBusy(true)
    try {
      const parent = moves ? body.parentId : (found?.parentId ?? null)
      const id = await store(body, { parentId: parent, edited: found && { ...found, version } })
      draft.saved(values, { name: draftName(project, id), address: (project ? paths.addProject : paths.addUnit)(`?id=${id}`) })
      toast('success', organization.saved)
      await invalidate(listDepts, getDeptTree, listOwnDepts)
      await goOn(paths.units)
    } catch (error) {
      form.refused(error)
    } finally {
      setBusy(false)
    }
  }
  const { errors } = form
  return (
    <SubmitForm className="panel form-grid" onSubmit={() => void submit()}>
      {moves && (
        <SelectField
          label={organization.parent}
          error={errors.parentId}
          required
          value={values.parentId}
          onChange={(value) => set({ parentId: value })}
          options={parents.map((dept) => [String(dept.deptId), dept.deptName])}
        />
      )}
      <TextField
        label={project ? organization.deptName : organization.unitName}
        error={errors.deptName}
        required
        maxLength={60}
        value={values.deptName}
        onChange={(deptName) =>
          // The short name and the type follow the full name until somebody changes them.
          set({
            deptName,
            ...(values.projectName === values.deptName && { projectName: deptName }),
            ...(values.projectType === projectTypeIn(values.deptName) && { projectType: projectTypeIn(deptName) }),
          })
        }
      />
      {project && <ProjectFields values={values} errors={errors} onChange={set} />}
      <TextField
        label={organization.leader}
        error={errors.leader}
        maxLength={30}
        value={values.leader}
        onChange={(leader) => set({ leader })}
        beside={<PeoplePicker type="leader" onPick={({ name, phonenumber }) => set({ leader: name, phone: phonenumber })} />}
      />
      <TextField label={organization.phone} error={errors.phone} type="tel" value={values.phone} onChange={(phone) => set({ phone })} />
      <TextField
        label={organization.order}
        hint={organization.orderHint}
        error={errors.orderNum}
        inputMode="numeric"
        maxLength={4}
        value={values.orderNum}
        onChange={(orderNum) => set({ orderNum })}
      />
      {project && (
        <div className="span-all">
          <CheckField
            label={organization.lowEmissionZone}
            value={values.lowEmissionZone}
            onChange={(lowEmissionZone) => set({ lowEmissionZone })}
          />
        </div>
      )}
      {!project && <Approvals values={values} onChange={set} />}
      <div className="span-all">
        <FormBar draft={draft} errors={Object.keys(errors).length}>
          <Link className="button" to={paths.units}>
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

type UnitValues = ReturnType<typeof initialOf>

/** The name, type and site of a project department. */
function ProjectFields({
  values,
  errors,
  onChange,
}: {
  values: UnitValues
  errors: Errors
  onChange: (change: Partial<UnitValues>) => void
}) {
  const text = useText()
  const { organization } = text
  return (
    <>
      <TextField
        label={organization.projectName}
        error={errors.projectName}
        required
        maxLength={60}
        value={values.projectName}
        onChange={(projectName) => onChange({ projectName })}
      />
      <SelectField
        label={organization.projectType}
        error={errors.projectType}
        required
        value={values.projectType}
        onChange={(projectType) => onChange({ projectType })}
        blank={text.site.common.choose}
        options={projectTypes.map((type) => [type, text.demand.projectType[type]])}
      />
      <PlacePicker value={values} onChange={onChange} error={errors.provinceId ?? errors.cityId} />
      <TextField
        label={organization.address}
        error={errors.address}
        required
        maxLength={200}
        value={values.address}
        onChange={(address) => onChange({ address })}
      />
    </>
  )
}

/** The switches by which a unit approves demands, awards and contracts below it, and wants the scan of the sealed paper. */
function Approvals({ values, onChange }: { values: UnitValues; onChange: (change: Partial<UnitValues>) => void }) {
  const { organization } = useText()
  return (
    <fieldset className="span-all stack">
      <legend className="legend">{organization.approvals}</legend>
      <CheckField
        label={organization.approvesDemands}
        value={values.approvesDemands}
        onChange={(approvesDemands) => onChange({ approvesDemands })}
      />
      <CheckField
        label={organization.approvesAwards}
        value={values.approvesAwards}
        onChange={(approvesAwards) => onChange({ approvesAwards })}
      />
      <CheckField
        label={organization.approvesContracts}
        value={values.approvesContracts}
        onChange={(approvesContracts) => onChange({ approvesContracts })}
      />
      <CheckField
        label={organization.needsScan}
        hint={organization.needsScanHint}
        value={values.needsScan}
        onChange={(needsScan) => onChange({ needsScan })}
      />
    </fieldset>
  )
}
