import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { deleteMessage, listOwnMessages, readMessages, type Message } from '#shared/message/contract.ts'
import { systemSubjects } from '#shared/message/rules.ts'
import { call } from '../api.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { minute } from '../format.ts'
import { ListPages } from '../list-pages.tsx'
import { useSiteName } from '../site.ts'
import { useSession } from '../session.ts'
import { refetchUnread } from '../socket.ts'
import { useLanguage } from '../text.tsx'
import { Empty, Head, Skeleton, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'

const pageSize = 10

export default function MessagesPage() {
  const { text, locale } = useLanguage()
  const words = text.account.message
  const site = useSiteName()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { unread } = useSession()
  const [params, setParams] = useSearchParams()
  const [deleting, setDeleting] = useState<Message | null>(null)
  const query = {
    pageNum: Number(params.get('pageNum')) || 1,
    pageSize,
    isRead: (params.get('isRead') ?? '') as '' | '0' | '1',
    systemSubject: (params.get('systemSubject') ?? '') as '',
  }
  const list = useQuery({
    queryKey: [listOwnMessages.url, query, locale, unread],
    queryFn: () => call(listOwnMessages, { query }),
    placeholderData: (before) => before,
  })
  const again = () => Promise.all([client.invalidateQueries({ queryKey: [listOwnMessages.url] }), refetchUnread()])
  const read = useMutation({
    mutationFn: (body: { messageIds: string[] } | { all: true }) => call(readMessages, { body }),
    onSuccess: again,
  })
  const remove = useMutation({
    mutationFn: (message: Message) => call(deleteMessage, { params: { id: message.messageId } }),
    onSuccess: () => {
      toast('success', words.deleted)
      setDeleting(null)
      return again()
    },
  })
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(params)
    next.delete('pageNum')
    if (value) next.set(name, value)
    else next.delete(name)
    setParams(next)
  }
  const open = (message: Message) => {
    if (message.isRead === '0') read.mutate({ messageIds: [message.messageId] })
    if (message.link) void navigate(message.link)
  }
  return (
    <div className="stack">
      <Head title={text.account.personal.messages} site={site} index={false} />
      <div className="row between">
        <h1>{text.account.personal.messages}</h1>
        <button
          type="button"
          className="button button-small"
          disabled={unread === 0 || read.isPending}
          onClick={() => read.mutate({ all: true })}
        >
          {words.markAll}
        </button>
      </div>
      <div className="tabs">
        {(['', '0', '1'] as const).map((value) => (
          <button key={value} type="button" aria-pressed={query.isRead === value} onClick={() => set('isRead', value)}>
            {value === '' ? words.all : value === '0' ? words.unread : words.read}
            {value === '0' && unread > 0 && <span className="badge">{unread}</span>}
          </button>
        ))}
        <select
          className="select"
          style={{ width: 'auto', minHeight: 36, marginLeft: 'auto' }}
          aria-label={words.subject}
          value={query.systemSubject}
          onChange={(event) => set('systemSubject', event.target.value)}
        >
          <option value="">
            {words.subject}: {words.all}
          </option>
          {systemSubjects.map((subject) => (
            <option key={subject} value={subject}>
              {words.subjects[subject]}
            </option>
          ))}
        </select>
      </div>
      {list.isPending ? (
        <Skeleton />
      ) : list.data?.rows.length ? (
        <ul className="articles panel">
          {list.data.rows.map((message) => (
            <li key={message.messageId}>
              <div className="row between">
                <h2 className="card-title">
                  {message.isRead === '0' && <span className="dot" aria-label={words.unread} role="img" />}
                  {message.title}
                </h2>
                <span className="small faint num">{minute(message.createTime)}</span>
              </div>
              <p className="soft">{message.content}</p>
              <p className="row small">
                <Tag tone={message.level === 'warn' ? 'warn' : 'plain'}>{words.subjects[message.systemSubject]}</Tag>
                {message.link && (
                  <button type="button" className="link" onClick={() => open(message)}>
                    {words.open}
                  </button>
                )}
                <button type="button" className="link" onClick={() => setDeleting(message)}>
                  {text.site.common.delete}
                </button>
              </p>
            </li>
          ))}
        </ul>
      ) : (
        <div className="panel">
          <Empty title={text.site.common.empty} />
        </div>
      )}
      <ListPages total={list.data?.total ?? 0} pageSize={pageSize} />
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={words.deleteAsk}
        action={text.site.common.delete}
        busy={remove.isPending}
        onConfirm={() => deleting && remove.mutate(deleting)}
      >
        <p>{deleting?.title}</p>
      </ConfirmDialog>
    </div>
  )
}
