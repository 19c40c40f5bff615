import { listOwnEquipment } from '#shared/equipment/contract.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  acceptImport,
  getImport,
  importData,
  importTemplate,
  importWorkbook,
  listImports,
  repairImport,
  undoImport,
  type Import,
} from '#shared/equipment/import.ts'
import { ApiError, call, download, upload } from '../app/api.ts'
import { UploadButton } from '../file/upload-button.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { DraftNote } from '../app/form-bar.tsx'
import { CheckField, SelectField } from '../ui/form-fields.tsx'
import { minute, named } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { isOutdated } from '../app/outdated.ts'
import { invalidate } from '../app/queries.ts'
import { useCategoryQuery } from '../category/category-tree.ts'
import { useSiteName } from '../app/site.ts'
import { ListBody, ListTotal, Loaded, UnloadedOptions, useList } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { useNextPage } from '../app/use-next-page.ts'
import { Head, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { Link } from '../ui/link.tsx'
import { ImportGrid, type ImportChanges, type ImportRow } from './equipment/import-grid.tsx'

const pageSize = 10

/** Imports machines from a workbook: its template, its upload, the repair of its rows, the import of the correct rows, and the undo. */
export default function ImportPage() {
  const text = useText()
  const words = text.equipment.imports
  const site = useSiteName()
  const [params] = useSearchParams()
  const id = params.get('id')
  const found = useQuery({
    queryKey: [getImport.url, id, text.locale],
    queryFn: () => call(getImport, { params: { id: id ?? '0' } }),
    enabled: id !== null,
    // Another language words the problems anew; the corrections stay.
    placeholderData: (before) => (String(before?.id) === id ? before : undefined),
  })
  return (
    <div className="stack">
      <Head title={words.title} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.ownMachines}>{text.equipment.own.title}</Link>
        {id !== null && (
          <>
            {' / '}
            <Link to={paths.importMachines()}>{words.title}</Link>
          </>
        )}
      </nav>
      <h1>{words.title}</h1>
      {id === null ? (
        <ImportStart />
      ) : (
        <Loaded query={found} rows={5}>
          {(stored) => <ImportEditor key={stored.id} found={stored} />}
        </Loaded>
      )}
    </div>
  )
}

function ImportStart() {
  const text = useText()
  const words = text.equipment.imports
  const categories = useCategoryQuery()
  const tree = categories.data ?? []
  const goOn = useNextPage()
  const [picked, setGroup] = useState('')
  const group = picked || String(tree[0]?.id ?? '')
  const [busy, setBusy] = useState(false)
  const list = useList(listImports, pageSize)
  const send = async (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    try {
      const { importId } = await upload<{ importId: number }>(importData, file)
      await invalidate(listImports)
      await goOn(paths.importMachines(`?id=${importId}`))
    } catch (error) {
      // A toast has shown the failure.
      if (!(error instanceof ApiError)) throw error
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <section className="panel stack">
        <p className="soft">{words.lead}</p>
        <div className="form-grid">
          <SelectField
            label={words.group}
            value={group}
            onChange={setGroup}
            options={tree.map((one) => [String(one.id), named(text, one)])}
          />
          <UnloadedOptions queries={[categories]} />
        </div>
        <p className="row">
          <button
            type="button"
            className="button"
            aria-disabled={!group}
            onClick={() => void download(importTemplate, { query: { fatherCategoryId: group } }).catch(() => undefined)}
          >
            {words.template}
          </button>
          <UploadButton
            className="button button-primary"
            accept=".xlsx"
            mark={{ 'data-import': '' }}
            disabled={busy}
            onPick={([file]) => void send(file)}
          >
            {busy ? words.reading : words.upload}
          </UploadButton>
        </p>
      </section>
      <section className="stack">
        <h2>
          {words.history} <ListTotal list={list} />
        </h2>
        <ListBody list={list} empty={words.none} pageSize={pageSize}>
          {(imports) => (
            <ul className="articles panel">
              {imports.map((one) => (
                <li key={one.id} className="row">
                  <Link to={paths.importMachines(`?id=${one.id}`)}>{one.fileName}</Link>
                  <span className="small faint num">{minute(one.createTime)}</span>
                  <span className="small">
                    {words.rows(one.rows)} · {words.added(one.added)}
                  </span>
                  {one.undoTime && <Tag>{words.wasUndone}</Tag>}
                </li>
              ))}
            </ul>
          )}
        </ListBody>
      </section>
    </>
  )
}

/** Rows that are shown more with each press. */
const moreRows = 100

function ImportEditor({ found }: { found: Import }) {
  const words = useText().equipment.imports
  const [changes, setChanges] = useState<ImportChanges>({})
  const [onlyBad, setOnlyBad] = useState(true)
  const [shown, setShown] = useState(50)
  const { confirm, dialog } = useConfirm(getImport, listImports, listOwnEquipment)
  const waiting = found.rows.filter(({ equipmentId }) => equipmentId === null)
  const good = waiting.filter(({ problems }) => problems.length === 0).length
  const bad = waiting.filter(({ problems }) => problems.length > 0)
  const added = found.rows.length - waiting.length
  const dirty = Object.keys(changes).length
  const set = (row: ImportRow, column: string, value: string) =>
    setChanges((before) => ({ ...before, [row.rowNo]: { ...before[row.rowNo], [column]: value } }))
  const draft = useValuesDraft(`import-${found.id}`, changes, (stored) => {
    const isOpen = (rowNo: string) => found.rows.some((row) => row.rowNo === Number(rowNo) && row.equipmentId === null)
    setChanges(Object.fromEntries(Object.entries(stored).filter(([rowNo]) => isOpen(rowNo))))
  })
  // What was corrected by hand stays as it is.
  const isCorrected = ({ rowNo, cells }: ImportRow, column: string) => (changes[rowNo]?.[column] ?? cells[column]) !== cells[column]
  const proposals = bad.flatMap((row) =>
    row.problems.flatMap(({ column, proposal }) => (proposal === null || isCorrected(row, column) ? [] : [{ row, column, proposal }])),
  )
  const refresh = () => invalidate(getImport, listImports, listOwnEquipment)
  const onError = (error: unknown) => (isOutdated(error) ? refresh() : undefined)
  const repair = useMutation({
    mutationFn: (sent: ImportChanges) =>
      call(repairImport, {
        params: { id: found.id },
        body: { rows: Object.entries(sent).map(([rowNo, cells]) => ({ rowNo: Number(rowNo), cells })) },
      }),
    onSuccess: async (_, sent) => {
      await refresh()
      // Rows that were edited while the request was under way keep their edits.
      setChanges((now) => Object.fromEntries(Object.entries(now).filter(([rowNo, cells]) => sent[Number(rowNo)] !== cells)))
    },
    onError,
  })
  const accept = useMutation({
    mutationFn: () => call(acceptImport, { params: { id: found.id } }),
    onSuccess: (done) => {
      toast('success', words.accepted(done.added))
      return refresh()
    },
    onError,
  })
  const undo = () => {
    let undone = { removed: 0, kept: 0 }
    confirm({
      title: words.undo,
      question: words.undoAsk,
      run: async () => void (undone = await call(undoImport, { params: { id: found.id } })),
      done: () => words.undone(undone.removed, undone.kept),
    })
  }
  // Only columns that have a value or an error in some row are shown.
  const columns = found.columns.filter(({ key }) =>
    found.rows.some((row) => row.cells[key] !== undefined || row.problems.some(({ column }) => column === key)),
  )
  const rows = (onlyBad && bad.length > 0 ? bad : found.rows).slice(0, shown)
  const total = onlyBad && bad.length > 0 ? bad.length : found.rows.length
  return (
    <>
      <ImportHead
        found={found}
        counts={{ good, bad: bad.length, added }}
        canAccept={good > 0 && dirty === 0 && !accept.isPending}
        onAccept={() => accept.mutate()}
        onUndo={undo}
      />
      {(bad.length > 0 || dirty > 0) && !found.undoTime && (
        <div className="row between">
          <CheckField label={words.onlyBad} value={onlyBad} onChange={setOnlyBad} />
          <p className="row">
            {proposals.length > 0 && (
              <button
                type="button"
                className="button button-small"
                onClick={() => proposals.forEach(({ row, column, proposal }) => set(row, column, proposal))}
              >
                {words.takeAll(proposals.length)}
              </button>
            )}
            {dirty > 0 && <span className="small soft">{words.changed(dirty)}</span>}
            <button
              type="button"
              className="button button-small button-primary"
              aria-disabled={dirty === 0 || repair.isPending}
              onClick={() => repair.mutate(changes)}
            >
              {words.recheck}
            </button>
          </p>
        </div>
      )}
      <DraftNote draft={draft} />
      {bad.length === 0 && dirty === 0 && waiting.length > 0 && !found.undoTime && <p className="notice">{words.all}</p>}
      <ImportGrid columns={columns} rows={rows} changes={changes} onChange={set} />
      {total > shown && (
        <p>
          <button type="button" className="button" onClick={() => setShown(shown + moreRows)}>
            {words.showRows(Math.min(moreRows, total - shown), total - shown)}
          </button>
        </p>
      )}
      {dialog}
    </>
  )
}

/** The name of the workbook, the numbers of its rows and the actions for all of them. */
function ImportHead({
  found,
  counts,
  canAccept,
  onAccept,
  onUndo,
}: {
  found: Import
  counts: { good: number; bad: number; added: number }
  canAccept: boolean
  onAccept: () => void
  onUndo: () => void
}) {
  const words = useText().equipment.imports
  return (
    <section className="panel row between">
      <p className="row">
        <strong>{found.fileName}</strong>
        <Tag tone="good">{words.good(counts.good)}</Tag>
        {counts.bad > 0 && <Tag tone="bad">{words.bad(counts.bad)}</Tag>}
        {counts.added > 0 && <Tag tone="blue">{words.added(counts.added)}</Tag>}
        {found.undoTime && <Tag>{words.wasUndone}</Tag>}
      </p>
      {!found.undoTime && (
        <p className="row">
          {counts.bad > 0 && (
            <button
              type="button"
              className="button"
              onClick={() => void download(importWorkbook, { params: { id: found.id } }).catch(() => undefined)}
            >
              {words.workbook}
            </button>
          )}
          {counts.added > 0 && (
            <button type="button" className="button button-danger" onClick={onUndo}>
              {words.undo}
            </button>
          )}
          <button type="button" className="button button-primary" disabled={!canAccept} onClick={onAccept}>
            {words.accept(counts.good)}
          </button>
        </p>
      )}
    </section>
  )
}
