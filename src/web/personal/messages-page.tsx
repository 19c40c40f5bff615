import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { deleteMessages, listOwnMessages, readMessages, type Message } from '#shared/message/contract.ts'
import { sentSubjects } from '#shared/message/kinds.ts'
import type { SystemSubject } from '#shared/message/rules.ts'
import { yesNo, type YesNo } from '#shared/rules.ts'
import { call, ignoreShown } from '../app/api.ts'
import { colon } from '../app/colon.ts'
import { minute } from '../app/format.ts'
import { ListBody, ListTotal, useList } from '../app/list-frame.tsx'
import { withParam } from '../app/list-settings.ts'
import { isOutdated } from '../app/outdated.ts'
import { invalidate } from '../app/queries.ts'
import { paths } from '#shared/paths.ts'
import { useSiteName } from '../app/site.ts'
import { useSession } from '../app/session.ts'
import { refetchUnread } from '../app/refetch.ts'
import { useLanguage, useText } from '../app/text.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'
import { repeatMs } from '../ui/throttle.ts'
import { WholeDays } from '../ui/whole-days.tsx'

const pageSize = 10

export default function MessagesPage() {
  const { text, locale } = useLanguage()
  const words = text.account.message
  const site = useSiteName()
  const navigate = useNavigate()
  const { unread, messageChanges } = useSession()
  const [params, setParams] = useSearchParams()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const query = {
    isRead: (params.get('isRead') ?? '') as '' | YesNo,
    systemSubject: (params.get('systemSubject') ?? '') as SystemSubject | '',
    keyword: params.get('keyword') ?? '',
  }
  const list = useList(listOwnMessages, pageSize, query, [locale, messageChanges])
  const rows = list.data?.rows ?? []
  const selected = rows.filter(({ messageId }) => chosen.includes(messageId))
  const refresh = () => {
    setChosen([])
    // A count that cannot be fetched does not make the call fail that came before it.
    void refetchUnread(true).catch(ignoreShown)
    return invalidate(listOwnMessages)
  }
  const read = useMutation({
    mutationFn: (body: { messageIds: string[] } | { all: true; systemSubject?: SystemSubject; keyword: string }) =>
      call(readMessages, { body }),
    onSuccess: refresh,
    onError: (error) => (isOutdated(error) ? refresh() : undefined),
  })
  const { confirm, dialog } = useConfirm(listOwnMessages)
  /** Deletes the messages with these ids, or all that are read. */
  const remove = (question: string, ids?: string[], subject?: string) =>
    confirm({
      title: text.site.common.delete,
      question,
      ...(subject && { subject }),
      run: async () => {
        await call(deleteMessages, { query: ids ? { ids: ids.join(',') } : {} })
        void refresh()
      },
      done: () => words.deleted,
      onError: (problem) => isOutdated(problem) && void refresh(),
    })
  const set = (name: string, value: string) => {
    setParams(withParam(params, name, value))
    setChosen([])
  }
  const open = (message: Message) => {
    if (message.isRead === yesNo.no) read.mutate({ messageIds: [message.messageId] })
    if (message.link) void navigate(message.link)
  }
  const toggle = (id: string) => setChosen((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]))
  /** All that the list shows, on whichever page they are. */
  const readAll = () => {
    const { systemSubject, keyword } = query
    read.mutate({ all: true, keyword, ...(systemSubject && { systemSubject }) })
  }
  return (
    <div className="stack">
      <Head title={text.account.personal.messages} site={site} index={false} />
      <div className="row between">
        <h1>
          {text.account.personal.messages} <ListTotal list={list} />
        </h1>
        <span className="row gap-8">
          <button type="button" className="button button-small" aria-disabled={unread === 0 || read.isPending} onClick={readAll}>
            {words.markAll}
          </button>
          <button type="button" className="button button-small" onClick={() => remove(words.deleteReadAsk)}>
            {words.deleteRead}
          </button>
          <Link className="button button-small" to={paths.subscriptions}>
            {text.personal.subscription.title}
          </Link>
        </span>
      </div>
      <ReadTabs chosen={query.isRead} unread={unread} onChange={(isRead) => set('isRead', isRead)} />
      <div className="row gap-8">
        <KeywordSearch keyword={query.keyword} onSearch={(keyword) => set('keyword', keyword)} />
        <SubjectFilter subject={query.systemSubject} onChange={(subject) => set('systemSubject', subject)} />
      </div>
      {rows.length > 0 && (
        <SelectionBar
          count={selected.length}
          isAll={selected.length === rows.length}
          onAll={(all) => setChosen(all ? rows.map(({ messageId }) => messageId) : [])}
          onRead={() => read.mutate({ messageIds: selected.map(({ messageId }) => messageId) })}
          onDelete={() =>
            remove(
              words.deleteManyAsk(selected.length),
              selected.map(({ messageId }) => messageId),
            )
          }
        />
      )}
      <ListBody list={list} empty={text.site.common.empty} pageSize={pageSize}>
        {() => (
          <ul className="articles panel">
            {rows.map((message) => (
              <MessageItem
                key={message.messageId}
                message={message}
                isChosen={chosen.includes(message.messageId)}
                onToggle={() => toggle(message.messageId)}
                onOpen={() => open(message)}
                onDelete={() => remove(words.deleteAsk, [message.messageId], message.title)}
              />
            ))}
          </ul>
        )}
      </ListBody>
      {dialog}
    </div>
  )
}

function ReadTabs({ chosen, unread, onChange }: { chosen: '' | YesNo; unread: number; onChange: (isRead: '' | YesNo) => void }) {
  const words = useText().account.message
  return (
    <div className="tabs">
      {(['', yesNo.no, yesNo.yes] as const).map((value) => (
        <button key={value} type="button" aria-pressed={chosen === value} onClick={() => onChange(value)}>
          {value === '' ? words.all : value === yesNo.no ? words.unread : words.read}
          {value === yesNo.no && unread > 0 && <span className="badge">{unread}</span>}
        </button>
      ))}
    </div>
  )
}

function MessageItem({
  message,
  isChosen,
  onToggle,
  onOpen,
  onDelete,
}: {
  message: Message
  isChosen: boolean
  onToggle: () => void
  onOpen: () => void
  onDelete: () => void
}) {
  const text = useText()
  const words = text.account.message
  return (
    <li className="message">
      <input type="checkbox" aria-label={message.title} checked={isChosen} onChange={onToggle} />
      <div>
        <div className="row between">
          <h2 className="card-title">
            {message.isRead === yesNo.no && <span className="dot" aria-label={words.unread} role="img" />}
            {message.link ? (
              <button type="button" className="link message-title" data-repeat-ms={repeatMs} onClick={onOpen}>
                {message.title}
              </button>
            ) : (
              message.title
            )}
          </h2>
          <span className="small faint num">{minute(message.createTime)}</span>
        </div>
        <p className="soft">
          <WholeDays text={message.content} />
        </p>
        <p className="row small">
          <Tag tone={message.level === 'warn' ? 'warn' : 'plain'}>{words.subjects[message.systemSubject]}</Tag>
          <button type="button" className="link" onClick={onDelete}>
            {text.site.common.delete}
            <span className="visually-hidden">: {message.title}</span>
          </button>
        </p>
      </div>
    </li>
  )
}

function KeywordSearch({ keyword, onSearch }: { keyword: string; onSearch: (keyword: string) => void }) {
  const words = useText().account.message
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(String(new FormData(event.currentTarget).get('keyword') ?? '').trim())
      }}
    >
      <input
        key={keyword}
        className="input message-filter"
        type="search"
        name="keyword"
        aria-label={words.keyword}
        placeholder={words.keyword}
        defaultValue={keyword}
        maxLength={40}
      />
    </form>
  )
}

/** Selects all messages of the page, and acts on the selected ones. */
function SelectionBar({
  count,
  isAll,
  onAll,
  onRead,
  onDelete,
}: {
  count: number
  isAll: boolean
  onAll: (all: boolean) => void
  onRead: () => void
  onDelete: () => void
}) {
  const words = useText().account.message
  return (
    <div className="row small">
      <label className="check">
        <input type="checkbox" checked={isAll} onChange={(event) => onAll(event.target.checked)} />
        {words.selectAll}
      </label>
      {count > 0 && (
        <>
          <span className="soft">{words.selected(count)}</span>
          <button type="button" className="link" data-repeat-ms={repeatMs} onClick={onRead}>
            {words.markSelected}
          </button>
          <button type="button" className="link" onClick={onDelete}>
            {words.deleteSelected}
          </button>
        </>
      )}
    </div>
  )
}

function SubjectFilter({ subject: chosen, onChange }: { subject: SystemSubject | ''; onChange: (subject: string) => void }) {
  const text = useText()
  const words = text.account.message
  return (
    <select className="select message-filter" aria-label={words.subject} value={chosen} onChange={(event) => onChange(event.target.value)}>
      <option value="">
        {words.subject}
        {colon(text)}
        {words.all}
      </option>
      {sentSubjects.map((subject) => (
        <option key={subject} value={subject}>
          {words.subjects[subject]}
        </option>
      ))}
    </select>
  )
}
