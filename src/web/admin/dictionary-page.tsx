import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listDictionaries, saveDictionary } from '#shared/category/manage.ts'
import type { Answered } from '#shared/endpoint.ts'
import { enableStatus } from '#shared/rules.ts'
import { call } from '../app/api.ts'
import { DraftNote } from '../app/form-bar.tsx'
import { CheckField, SelectField, SubmitForm, TextField } from '../ui/form-fields.tsx'
import { Loaded, RowTable } from '../app/list-frame.tsx'
import { invalidate } from '../app/queries.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFields } from '../app/use-form.ts'

type DictionaryEntry = Answered<typeof listDictionaries>[number]

export default function DictionaryPage() {
  const text = useText()
  const words = text.admin.dictionaries
  const site = useSiteName()
  const [type, setType] = useState('')
  const [editing, setEditing] = useState<{ entry: DictionaryEntry; isNew: boolean } | null>(null)
  const found = useQuery({ queryKey: [listDictionaries.url], queryFn: () => call(listDictionaries, {}) })
  const types = [...new Set(found.data?.map(({ dictType }) => dictType))]
  const shown = type || (types[0] ?? '')
  const entries = found.data?.filter(({ dictType }) => dictType === shown) ?? []
  return (
    <div className="stack">
      <Head title={text.admin.menu.dictionaries} site={site} index={false} />
      <div>
        <h1>{text.admin.menu.dictionaries}</h1>
        <p className="soft">{words.lead}</p>
      </div>
      <Loaded query={found}>
        {() => (
          <>
            <div className="toolbar">
              <SelectField
                label={words.type}
                value={shown}
                onChange={setType}
                options={types.map((one) => [one, words.types[one] ?? one])}
              />
              <button
                type="button"
                className="button"
                onClick={() =>
                  setEditing({
                    isNew: true,
                    entry: {
                      dictType: shown,
                      dictValue: '',
                      dictLabel: '',
                      dictLabelEn: '',
                      dictSort: Math.max(0, ...entries.map(({ dictSort }) => dictSort)) + 1,
                      status: enableStatus.enabled,
                    },
                  })
                }
              >
                {words.add}
              </button>
            </div>
            <RowTable
              rows={entries}
              keyOf={({ dictValue }) => dictValue}
              columns={[
                { label: words.value, cell: ({ dictValue }) => <code>{dictValue}</code> },
                { label: words.label, cell: ({ dictLabel }) => dictLabel },
                { label: words.labelEn, cell: ({ dictLabelEn }) => dictLabelEn },
                { label: words.sort, num: true, cell: ({ dictSort }) => dictSort },
                {
                  label: text.site.common.status,
                  cell: ({ status }) => (
                    <Tag tone={status === enableStatus.enabled ? 'good' : 'plain'}>
                      {status === enableStatus.enabled ? words.on : text.admin.categories.isOff}
                    </Tag>
                  ),
                },
                {
                  label: text.site.common.actions,
                  cell: (entry) => (
                    <button type="button" className="button button-small" onClick={() => setEditing({ entry, isNew: false })}>
                      {text.site.common.edit}
                      <span className="visually-hidden"> {entry.dictLabel}</span>
                    </button>
                  ),
                },
              ]}
            />
          </>
        )}
      </Loaded>
      <Dialog
        open={editing !== null}
        onClose={() => setEditing(null)}
        title={editing?.isNew ? words.add : (editing?.entry.dictLabel ?? '')}
        closeLabel={text.site.action.close}
      >
        {editing && (
          <EntryForm
            key={JSON.stringify(editing.entry)}
            {...editing}
            onOutdated={async () => {
              const { data } = await found.refetch()
              const entry = data?.find((one) => one.dictType === editing.entry.dictType && one.dictValue === editing.entry.dictValue)
              // This browser stores the typed values; the form of the present entry offers them.
              if (entry && !editing.isNew) setEditing((now) => (now === editing ? { ...editing, entry } : now))
            }}
            onDone={() => {
              // Another one may be open by now, which stays.
              setEditing((now) => (now === editing ? null : now))
              void invalidate(listDictionaries)
            }}
          />
        )}
      </Dialog>
    </div>
  )
}

type EntryFormProps = { entry: DictionaryEntry; isNew: boolean; onDone: () => void; onOutdated: () => Promise<void> }

function EntryForm({ entry, isNew, onDone, onOutdated }: EntryFormProps) {
  const words = useText().admin.dictionaries
  const form = useFields(saveDictionary.body, { ...entry, dictSort: String(entry.dictSort) })
  const { values, set, errors } = form
  const draftName = (value: string) => `dictionary-${entry.dictType}-${value}`
  const draft = useValuesDraft(draftName(entry.dictValue), values, form.setValues, { quiet: true })
  return (
    <SubmitForm
      onSubmit={() =>
        void form.submit(
          async (body) => {
            await call(saveDictionary, { body })
            const dictValue = values.dictValue.trim()
            // The value of an entry is not edited, whatever was typed into it later.
            draft.saved(values, { name: draftName(dictValue), convert: (typed) => ({ ...typed, dictValue }) })
            toast('success', words.saved)
            onDone()
          },
          { dictSort: Number(values.dictSort), before: isNew ? null : entry },
          onOutdated,
        )
      }
    >
      <TextField
        label={words.value}
        required
        disabled={!isNew}
        value={values.dictValue}
        onChange={set('dictValue')}
        error={errors.dictValue}
        maxLength={40}
      />
      <TextField
        label={words.label}
        required
        value={values.dictLabel}
        onChange={set('dictLabel')}
        error={errors.dictLabel}
        maxLength={40}
      />
      <TextField
        label={words.labelEn}
        required
        value={values.dictLabelEn}
        onChange={set('dictLabelEn')}
        error={errors.dictLabelEn}
        maxLength={60}
      />
      <TextField
        label={words.sort}
        inputMode="numeric"
        value={values.dictSort}
        onChange={set('dictSort')}
        error={errors.dictSort}
        maxLength={4}
      />
      <CheckField
        label={words.on}
        value={values.status === enableStatus.enabled}
        onChange={(on) => set('status')(on ? enableStatus.enabled : enableStatus.disabled)}
      />
      <DraftNote draft={draft} />
      <p>
        <button type="submit" className="button button-primary" aria-disabled={form.busy}>
          {words.save}
        </button>
      </p>
    </SubmitForm>
  )
}
