import { useQuery } from '@tanstack/react-query'
import { listOwnMessages } from '#shared/message/contract.ts'
import { paths } from '#shared/paths.ts'
import { yesNo } from '#shared/rules.ts'
import { call } from '../app/api.ts'
import { minute } from '../app/format.ts'
import { Loaded } from '../app/list-frame.tsx'
import { markRead } from '../app/mark-read.ts'
import { useSession } from '../app/session.ts'
import { useLanguage } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'

/** The five newest messages. */
export function LatestMessages() {
  const { text, locale } = useLanguage()
  const { messageChanges } = useSession()
  const messages = useQuery({
    queryKey: [listOwnMessages.url, 'latest', messageChanges, locale],
    queryFn: () => call(listOwnMessages, { query: { pageSize: 5, sort: '-createTime' } }),
  })
  return (
    <section className="panel">
      <div className="row between mb-8">
        <h2>{text.statistics.panel.latest}</h2>
        <Link to={paths.messages}>{text.site.common.more}</Link>
      </div>
      <Loaded query={messages} rows={3}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className="soft">{text.statistics.panel.noMessages}</p>
          ) : (
            <ul className="articles">
              {rows.map((message) => (
                <li key={message.messageId} className="row between">
                  <Link to={message.link || paths.messages} onClick={() => markRead(message)}>
                    {message.isRead === yesNo.no && <span className="dot" aria-label={text.account.message.unread} role="img" />}
                    {message.title}
                  </Link>
                  <span className="small faint num">{minute(message.createTime)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
