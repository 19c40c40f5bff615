import { useEffect, useState } from 'react'
import { listOwnMessages, type Message } from '#shared/message/contract.ts'
import { paths } from '#shared/paths.ts'
import { yesNo } from '#shared/rules.ts'
import { ApiError, call } from './api.ts'
import { minute } from './format.ts'
import { markRead } from './mark-read.ts'
import { useOwnText } from './own-text.ts'
import { useSession } from './session.ts'
import { useLanguage } from './text.tsx'
import { Skeleton } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'
import './header-panels.css'

const shown = 5

/** The newest messages. One that arrives while the panel is open appears in it. */
export function MessageMenu() {
  const { text, locale } = useLanguage()
  const { messageChanges } = useSession()
  const { common } = text.site
  const words = useOwnText().messages
  const [messages, setMessages] = useState<readonly Message[] | 'failed' | null>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let late = false
    call(listOwnMessages, { query: { pageSize: shown, sort: '-createTime' } }, true).then(
      ({ rows }) => !late && setMessages(rows),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        if (!late) setMessages('failed')
      },
    )
    return () => {
      late = true
    }
  }, [messageChanges, locale, tries])
  return (
    <div className="message-menu">
      <div className="row between">
        <strong>{words.latest}</strong>
        <Link to={paths.messages}>{common.more}</Link>
      </div>
      {messages === null && <Skeleton rows={3} />}
      {messages === 'failed' && (
        <p className="small soft" role="status">
          {common.failed}{' '}
          <button type="button" className="link" onClick={() => setTries(tries + 1)}>
            {common.retry}
          </button>
        </p>
      )}
      {Array.isArray(messages) && messages.length === 0 && <p className="small soft">{words.nothing}</p>}
      {Array.isArray(messages) && messages.length > 0 && (
        <ul>
          {messages.map((message: Message) => (
            <li key={message.messageId}>
              <Link to={message.link || paths.messages} onClick={() => markRead(message)}>
                <span>
                  {message.isRead === yesNo.no && <span className="dot" aria-label={text.account.message.unread} role="img" />}
                  {message.title}
                </span>
                <span className="small faint num">{minute(message.createTime)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
