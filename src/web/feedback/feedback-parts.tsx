import type { z } from 'zod'
import type { getFeedback } from '#shared/feedback/contract.ts'
import { feedbackStatus, type FeedbackStatus } from '#shared/feedback/rules.ts'
import { colon } from '../app/colon.ts'
import { minute } from '../app/format.ts'
import { FileThumbnail } from '../file/private-file.tsx'
import { useText } from '../app/text.tsx'
import { Tag, type Tone } from '../ui/parts.tsx'
import './feedback-parts.css'

export const feedbackTone: Record<FeedbackStatus, Tone> = {
  [feedbackStatus.received]: 'amber',
  [feedbackStatus.inWork]: 'amber',
  [feedbackStatus.answered]: 'blue',
  [feedbackStatus.closed]: 'plain',
}

type Feedback = z.infer<(typeof getFeedback)['answer']>

/** A feedback with its pictures and its answers. `ours` is the side that reads it. */
export function FeedbackThread({ found, ours }: { found: Feedback; ours: 'person' | 'operator' }) {
  const {
    locale,
    personal: { feedback },
  } = useText()
  const voice = (byOperator: boolean) => (byOperator ? feedback.operator : ours === 'person' ? feedback.mine : found.author)
  return (
    <>
      <section className="panel stack gap-10">
        <p className="row">
          <Tag tone={feedbackTone[found.status]}>{feedback.status[found.status]}</Tag>
          <Tag>{feedback.types[found.type]}</Tag>
          <span className="small faint num">
            {found.feedbackCode} · {minute(found.createTime)}
          </span>
          {found.satisfaction !== null && <Tag tone="good">{feedback.stars(found.satisfaction)}</Tag>}
        </p>
        <p className="pre-line">{found.content}</p>
        {found.contact && (
          <p className="small soft">
            {feedback.contact}
            {colon({ locale })}
            {found.contact}
          </p>
        )}
        {found.images.length > 0 && (
          <ul className="row">
            {found.images.map((id, index) => (
              <li key={id}>
                <FileThumbnail fileId={id} mime="image/png" label={`${feedback.images} ${index + 1}`} />
              </li>
            ))}
          </ul>
        )}
      </section>
      {found.replies.length > 0 && (
        <section className="panel">
          <h2>{feedback.thread}</h2>
          <ol className="thread">
            {found.replies.map((reply) => (
              <li key={reply.id} className={reply.byOperator === (ours === 'operator') ? 'ours' : ''}>
                <p className="small faint">
                  {voice(reply.byOperator)} <span className="num">{minute(reply.at)}</span>
                </p>
                <p className="bubble">{reply.content}</p>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}
