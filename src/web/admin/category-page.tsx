import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listManagedCategories, orderCategories, type ManagedCategory } from '#shared/category/manage.ts'
import { enableStatus } from '#shared/rules.ts'
import { ApiError, call } from '../app/api.ts'
import { labelOf, named } from '../app/format.ts'
import { Loaded } from '../app/list-frame.tsx'
import { invalidate } from '../app/queries.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { CategoryForm } from './category-form.tsx'

/** Edits the two levels of categories, their order and their parameters. */
export default function CategoryPage() {
  const text = useText()
  const words = text.admin.categories
  const site = useSiteName()
  const [editing, setEditing] = useState<{ category: ManagedCategory | null; parentId: number } | null>(null)
  const found = useQuery({ queryKey: [listManagedCategories.url], queryFn: () => call(listManagedCategories, {}) })
  const order = useMutation({
    mutationFn: (body: { parentId: number; ids: number[] }) => call(orderCategories, { body }),
    onSuccess: () => toast('success', words.ordered),
    onError: (problem) => {
      if (!(problem instanceof ApiError)) throw problem
    },
    onSettled: () => invalidate(listManagedCategories),
  })
  const all = found.data ?? []
  const of = (parentId: number) => all.filter((one) => one.parentId === parentId)
  const move = (one: ManagedCategory, by: -1 | 1) => {
    const ids = of(one.parentId).map(({ id }) => id)
    const at = ids.indexOf(one.id)
    ids.splice(at, 1)
    ids.splice(at + by, 0, one.id)
    order.mutate({ parentId: one.parentId, ids })
  }
  const tools = (one: ManagedCategory, index: number, siblings: number) => (
    <span className="row gap-4">
      {(
        [
          [-1, words.up, '↑', index === 0],
          [1, words.down, '↓', index === siblings - 1],
        ] as const
      ).map(([by, label, sign, disabled]) => (
        <button
          key={sign}
          type="button"
          className="button button-small"
          aria-label={`${label} ${named(text, one)}`}
          aria-disabled={disabled || order.isPending}
          onClick={() => move(one, by)}
        >
          {sign}
        </button>
      ))}
      <button type="button" className="button button-small" onClick={() => setEditing({ category: one, parentId: one.parentId })}>
        {words.edit}
        <span className="visually-hidden"> {named(text, one)}</span>
      </button>
    </span>
  )
  return (
    <div className="stack">
      <Head title={text.admin.menu.categories} site={site} index={false} />
      <header className="row between">
        <div>
          <h1>{text.admin.menu.categories}</h1>
          <p className="soft">{words.lead}</p>
        </div>
        <button type="button" className="button" onClick={() => setEditing({ category: null, parentId: 0 })}>
          {words.addGroup}
        </button>
      </header>
      <Loaded query={found} rows={8}>
        {() =>
          of(0).map((group, index, groups) => (
            <details key={group.id} className="panel">
              <summary>
                <strong>{named(text, group)}</strong>{' '}
                <span className="small faint">
                  {words.count(of(group.id).length)} ·{' '}
                  <span className="unbroken">{words.machines(of(group.id).reduce((sum, { machines }) => sum + machines, 0))}</span>
                </span>{' '}
                {group.status === enableStatus.disabled && <Tag tone="bad">{words.isOff}</Tag>}
              </summary>
              <div className="row between mt-8 mb-8">
                <button type="button" className="button button-small" onClick={() => setEditing({ category: null, parentId: group.id })}>
                  {words.add}
                  <span className="visually-hidden"> {named(text, group)}</span>
                </button>
                {tools(group, index, groups.length)}
              </div>
              <table className="table">
                <tbody>
                  {of(group.id).map((category, place, siblings) => (
                    <tr key={category.id}>
                      <td>
                        <CategoryName category={category} />
                      </td>
                      <td className="num">{words.machines(category.machines)}</td>
                      <td>{tools(category, place, siblings.length)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </details>
          ))
        }
      </Loaded>
      <Dialog
        open={editing !== null}
        onClose={() => setEditing(null)}
        title={editing?.category ? named(text, editing.category) : editing?.parentId === 0 ? words.addGroup : words.add}
        wide
        closeLabel={text.site.action.close}
      >
        {editing && (
          <CategoryForm
            key={editing.category?.id ?? 'new'}
            category={editing.category}
            parentId={editing.parentId}
            groups={of(0)}
            onDone={() => {
              // Another one may be open by now, which stays.
              setEditing((now) => (now === editing ? null : now))
              void invalidate(listManagedCategories)
            }}
          />
        )}
      </Dialog>
    </div>
  )
}

function CategoryName({ category }: { category: ManagedCategory }) {
  const text = useText()
  const words = text.admin.categories
  return (
    <>
      {named(text, category)} {category.core && <Tag tone="blue">{words.core}</Tag>}{' '}
      {category.status === enableStatus.disabled && <Tag tone="bad">{words.isOff}</Tag>}
      <p className="small faint">{category.params.map((param) => labelOf(text, param)).join(' · ')}</p>
    </>
  )
}
