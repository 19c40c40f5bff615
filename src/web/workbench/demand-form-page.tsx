import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { dayOf } from '#shared/calendar.ts'
import { getLessor, listOwnDepts } from '#shared/company/contract.ts'
import { getDraft, getOwnDemand } from '#shared/demand/contract.ts'
import { compareQuotes } from '#shared/quote/contract.ts'
import { ApiError, call } from '../app/api.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { useCategories, useCategoryQuery } from '../category/category-tree.ts'
import { Empty } from '../ui/parts.tsx'
import { DemandEditor } from './demand/demand-editor.tsx'
import { draftNamedDuringReload, forgetNamedDraft, nameDraft } from './demand/draft-address.ts'
import { draftLeftAt, newestLeft } from './demand/use-draft.ts'
import { draftAnswered } from './demand/draft-saves.ts'
import { liveRests } from './demand/rest-before.tsx'
import { fromDemand, fromDraft, newDemand, ofProject, unitsOf, withContact, withDeadline, type DemandForm } from './demand/draft.ts'

const reuses = ['copy', 'rest', 'revise', 'amend'] as const

/**
 * Publishes a demand. The address names the start of the form: a draft (`id`, `draft`), a copy of a demand (`copy`), the lines that were not
 * awarded (`rest`), a rejected demand (`revise`), a change of one that is open for quotes (`amend`), or a category (`categoryId`) and a
 * lessor who is invited (`invite`).
 */
export default function DemandFormPage() {
  const { key: place, hash } = useLocation()
  const [opened, setOpened] = useState(place)
  // Whoever opens the page from itself starts another form. A link to a part of the page, such as the one to its main part, leaves the form.
  if (place !== opened && hash === '') setOpened(place)
  return <OpenedForm key={opened} place={opened} />
}

function OpenedForm({ place }: { place: string }) {
  const text = useText()
  const [params] = useSearchParams()
  const { info } = useSession()
  // The address changes when the draft is first saved, but the form must not start again.
  const [start] = useState(() => {
    const reuse = reuses.find((one) => params.get(one))
    const named = params.get('id') ?? params.get('draft')
    return {
      named,
      draft: named ?? draftNamedDuringReload(),
      left: draftLeftAt(place),
      place,
      reuse,
      source: reuse ? params.get(reuse) : null,
      categoryId: Number(params.get('categoryId')) || null,
      invite: Number(params.get('invite')) || null,
    }
  })
  const depts = useQuery({ queryKey: [listOwnDepts.url], queryFn: () => call(listOwnDepts, {}) })
  const draft = useQuery({
    queryKey: [getDraft.url, start.draft ?? start.place],
    queryFn: async () => {
      const left = await start.left
      const id = start.draft ?? left?.id
      if (id === undefined) return null
      await draftAnswered(Number(id))
      try {
        return await call(getDraft, { params: { id } }, Boolean(left))
      } catch (error) {
        // Without a network the form opens as it was left.
        if (left && error instanceof ApiError && error.code === 0) return newestLeft(left)
        throw error
      }
    },
    networkMode: 'always',
    enabled: start.draft !== null || start.left !== undefined,
    gcTime: 0,
    staleTime: Infinity,
  })
  const draftId = draft.data?.id
  useEffect(() => void forgetNamedDraft(), [])
  useEffect(() => {
    // A reload then opens the draft that was left here.
    if (draftId !== undefined && start.named === null) nameDraft(draftId)
  }, [draftId, start.named])
  const source = useQuery({
    queryKey: [getOwnDemand.url, start.source, start.reuse],
    queryFn: async () => {
      const demand = await call(getOwnDemand, { params: { id: start.source ?? '0' } })
      if (start.reuse !== 'rest') return { demand, awarded: new Map<number, number>() }
      const { award } = await call(compareQuotes, { params: { demandId: demand.id } })
      const awarded = new Map<number, number>()
      for (const { demandItemId, qty } of award?.lines ?? []) awarded.set(demandItemId, (awarded.get(demandItemId) ?? 0) + qty)
      return { demand, awarded }
    },
    enabled: start.source !== null,
    gcTime: 0,
    // A later fetch must not replace what the person is typing.
    staleTime: Infinity,
  })
  const invited = useQuery({
    queryKey: [getLessor.url, start.invite],
    queryFn: () => call(getLessor, { params: { id: start.invite ?? 0 } }),
    enabled: start.invite !== null,
    staleTime: Infinity,
  })
  const tree = useCategoryQuery()
  const categories = useCategories()

  const asked = [start.draft ?? start.left ?? null, start.source, start.invite]
  const needed = [depts, tree, ...[draft, source, invited].filter((_, at) => asked[at] !== null)]
  if (!depts.data || needed.some(({ data }) => data === undefined)) return <Unloaded queries={needed} rows={5} />
  const [project, ...others] = depts.data
  if (!project) return <Empty title={text.demand.form.noProject} />
  const { demand } = source.data ?? {}
  const initial = (): DemandForm => {
    if (draft.data) return fromDraft(draft.data.form)
    if (source.data && start.reuse) return fromDemand(source.data.demand, start.reuse, source.data.awarded)
    const category = start.categoryId === null ? undefined : categories.get(start.categoryId)
    const lessors = invited.data ? [{ value: invited.data.id, label: invited.data.enterpriseName }] : []
    if (!category) return newDemand({}, lessors)
    return newDemand({ categoryId: category.id, fatherCategoryId: category.parentId, rentUnit: unitsOf(category)[0] ?? 'M' }, lessors)
  }
  // A draft opens as it was typed.
  const fresh = draft.data ? initial() : withDeadline(initial(), dayOf(new Date()))
  const form = withContact(fresh, info?.user)
  return (
    <DemandEditor
      initial={form.deptId === null ? { ...form, ...ofProject(form, project) } : form}
      stored={draft.data ? { id: draft.data.id, version: draft.data.version } : null}
      changing={demand && (start.reuse === 'amend' || start.reuse === 'revise') ? { demand, reuse: start.reuse } : null}
      projects={[project, ...others]}
      rests={demand && start.reuse === 'rest' ? liveRests(demand) : []}
    />
  )
}
