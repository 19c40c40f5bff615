import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { exportAudit, getAudit, listAudit, verifyAudit } from '#shared/audit/contract.ts'
import { auditActions, auditBizTypes } from '#shared/audit/rules.ts'
import { DateRangeFilter } from '../app/date-field.tsx'
import { ApiError, call } from '../app/api.ts'
import { FilterChip } from '../app/filter-chip.tsx'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { Unloaded, useList } from '../app/list-frame.tsx'
import { useRememberedFilters } from '../app/remember.ts'
import { roleIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { queryOf } from '../app/visit.ts'
import { exportList, WorkList } from '../app/work-list.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FactRows } from '../ui/facts.tsx'
import { Tag } from '../ui/parts.tsx'
import { actorLabel, fieldLabel, objectLabel, valueLines } from './audit-values.ts'

const pageSize = 20

/** The audit log: its entries with the values before and after, their export, and the verification of their chain. */
export default function AuditPage() {
  const text = useText()
  const words = text.admin.audit
  const auditor = roleIn(useSession()) === 'auditor'
  const [params] = useSearchParams()
  const [open, setOpen] = useState<number | null>(null)
  useRememberedFilters('audit', 'bizId')
  const list = useList(listAudit, pageSize)
  const value = (name: string) => params.get(name) ?? undefined
  const bizId = value('bizId')
  const objectName = list.data?.rows.find((entry) => entry.bizId === bizId && entry.bizName)?.bizName
  const verify = useMutation({
    mutationFn: () => call(verifyAudit, {}),
    onError: (problem) => {
      if (!(problem instanceof ApiError)) throw problem
    },
  })
  return (
    <>
      <WorkList
        name="audit"
        title={words.title}
        lead={auditor ? words.auditorLead : words.lead}
        actions={
          <button type="button" className="button" aria-disabled={verify.isPending} onClick={() => verify.mutate()}>
            {verify.isPending ? words.verifying : words.verify}
          </button>
        }
        filters={
          <>
            {verify.data && (
              <div className={`notice ${verify.data.broken ? 'notice-warn' : ''}`} role="status">
                <strong>
                  {verify.data.broken ? words.bad(verify.data.broken.seq, verify.data.broken.who) : words.good(verify.data.entries)}
                </strong>
                {!verify.data.broken && verify.data.head && (
                  <p className="small mt-4">
                    {words.head} <span className="hash">{verify.data.head}</span>
                    <br />
                    {words.headHint}
                  </p>
                )}
              </div>
            )}
            {bizId && <FilterChip name="bizId" label={text.admin.only(objectName ?? bizId)} />}
            <AuditFilters value={value} />
          </>
        }
        list={list}
        keyOf={({ seq }) => seq}
        nameOf={({ seq }) => `#${seq}`}
        exported={() => exportList(exportAudit, queryOf(params, exportAudit))}
        empty={words.empty}
        pageSize={pageSize}
        columns={[
          {
            id: 'at',
            label: words.at,
            sort: 'at',
            cell: (entry) => (
              <span className="num">
                {entry.at} <span className="small faint">#{entry.seq}</span>
              </span>
            ),
          },
          { id: 'who', label: words.who, cell: (entry) => actorLabel(text, entry.who) },
          { id: 'action', label: words.action, cell: (entry) => <Tag>{text.admin.audited.actions[entry.action]}</Tag> },
          {
            id: 'bizType',
            className: 'long-name',
            label: words.bizType,
            cell: (entry) => (
              <>
                {entry.bizType === 'setting'
                  ? (text.admin.settings.names[entry.bizId] ?? entry.bizId)
                  : entry.bizName || text.admin.audited.bizTypes[entry.bizType]}{' '}
                {entry.bizType !== 'setting' && entry.bizId !== entry.bizName && <span className="small faint num">{entry.bizId}</span>}
              </>
            ),
          },
          { id: 'reason', label: text.admin.reason, cell: (entry) => entry.reason },
          {
            id: 'detail',
            label: words.detail,
            cell: (entry) => (
              <button type="button" className="button button-small" onClick={() => setOpen(entry.seq)}>
                {words.detail}
                <span className="visually-hidden"> #{entry.seq}</span>
              </button>
            ),
          },
        ]}
      />
      <Dialog open={open !== null} onClose={() => setOpen(null)} title={`#${open ?? ''}`} wide closeLabel={text.site.action.close}>
        {open !== null && <EntryDetail seq={open} />}
      </Dialog>
    </>
  )
}

function AuditFilters({ value }: { value: (name: string) => string | undefined }) {
  const text = useText()
  const words = text.admin.audit
  return (
    <FilterForm>
      {value('bizId') && <input type="hidden" name="bizId" value={value('bizId')} />}
      <TextFilter name="keyword" label={words.keyword} value={value('keyword')} />
      <TextFilter name="who" label={words.who} value={value('who')} placeholder={words.whoHint} />
      <SelectFilter
        name="bizType"
        label={words.bizType}
        value={value('bizType')}
        all={text.site.common.all}
        options={auditBizTypes.map((one) => [one, text.admin.audited.bizTypes[one]])}
      />
      <SelectFilter
        name="action"
        label={words.action}
        value={value('action')}
        all={text.site.common.all}
        options={auditActions.map((one) => [one, text.admin.audited.actions[one]])}
      />
      <DateRangeFilter label={words.period} names={['from', 'to']} words={[words.from, words.to]} values={[value('from'), value('to')]} />
    </FilterForm>
  )
}

function EntryDetail({ seq }: { seq: number }) {
  const text = useText()
  const words = text.admin.audit
  const found = useQuery({ queryKey: [getAudit.url, seq], queryFn: () => call(getAudit, { params: { seq } }) })
  const entry = found.data
  if (!entry) return <Unloaded queries={[found]} />
  const fields = [...new Set([...Object.keys(entry.before ?? {}), ...Object.keys(entry.after ?? {})])]
  const lines = (field: string, values: Record<string, unknown> | null) =>
    valueLines(text, entry.bizType, field, values?.[field]).map((line) => <div key={line}>{line}</div>)
  return (
    <div className="stack">
      <dl className="facts">
        <FactRows
          facts={[
            [words.at, entry.at],
            [words.who, actorLabel(text, entry.who)],
            [words.action, text.admin.audited.actions[entry.action]],
            [words.bizType, [text.admin.audited.bizTypes[entry.bizType], ...objectLabel(entry)].join(' ')],
            [text.admin.reason, entry.reason],
            [words.address, entry.address],
          ]}
        />
      </dl>
      {fields.length === 0 ? (
        <p className="soft">{words.noValues}</p>
      ) : (
        <div className="scroll-x" tabIndex={0}>
          <table className="table values">
            <thead>
              <tr>
                <th>{words.field}</th>
                <th>{words.before}</th>
                <th>{words.after}</th>
              </tr>
            </thead>
            <tbody>
              {fields.map((field) => (
                <tr key={field}>
                  <th scope="row">{fieldLabel(text, field)}</th>
                  <td className="small">{lines(field, entry.before)}</td>
                  <td className="small">{lines(field, entry.after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="small">
        {words.hash} <span className="hash">{entry.hash}</span>
      </p>
    </div>
  )
}
