import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { getOwnDemand, type PublicDemand } from '#shared/demand/contract.ts'
import { toMoment } from '#shared/calendar.ts'
import { answerQuestion, askQuestion, listQuestions, type Question } from '#shared/question/contract.ts'
import { AnswerInput, QuestionInput } from '#shared/question/input.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { getDemandForLessor } from '#shared/quote/contract.ts'
import { askedUntil, mayAsk } from '#shared/question/rules.ts'
import { call } from '../app/api.ts'
import { DraftNote } from '../app/form-bar.tsx'
import { SubmitForm, TextareaField } from '../ui/form-fields.tsx'
import { colon } from '../app/colon.ts'
import { minute } from '../app/format.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { useSentText } from '../app/use-sent-text.ts'
import { Tag } from '../ui/parts.tsx'

/** The questions about a demand. A lessor asks, the owner answers, and everybody else reads. */
export function Questions({ demand, side }: { demand: PublicDemand; side: 'lessor' | 'owner' | 'reader' }) {
  const text = useText()
  const words = text.demand.question
  const list = useQuery({
    queryKey: [listQuestions.url, demand.id],
    queryFn: () => call(listQuestions, { params: { demandId: demand.id } }, true),
  })
  const section = useRef<HTMLElement>(null)
  const isAsked = useLocation().hash === '#questions'
  const isLoaded = list.data !== undefined
  // Whoever comes in order to answer finds the questions in view, and with a mouse and a keyboard the cursor in the first field.
  useEffect(() => {
    if (!isAsked || !isLoaded) return
    section.current?.scrollIntoView({ block: 'start' })
    if (matchMedia('(pointer: fine)').matches) section.current?.querySelector('textarea')?.focus({ preventScroll: true })
  }, [isAsked, isLoaded])
  const open = mayAsk(demand, toMoment(new Date()))
  return (
    <section ref={section} className="panel stack below-header" id="questions">
      <h2>{words.title}</h2>
      <p className="small soft">
        {words.hint} <span className="num">{open ? words.until(minute(askedUntil(demand))) : words.over}</span>
      </p>
      {!list.data && <Unloaded queries={[list]} rows={2} />}
      {list.data?.length === 0 && <p className="soft">{words.empty}</p>}
      <ol className="stack">
        {list.data?.map((question) => (
          <QuestionItem key={question.id} question={question} mayAnswer={side === 'owner' && demand.status === demandStatus.quoting} />
        ))}
      </ol>
      {side === 'lessor' && open && <QuestionForm demandId={demand.id} />}
    </section>
  )
}

function QuestionItem({ question, mayAnswer }: { question: Question; mayAnswer: boolean }) {
  const text = useText()
  const words = text.demand.question
  const [editing, setEditing] = useState(false)
  // The answer with which the field was opened. Another one is that of a colleague, who was faster.
  const [opened, setOpened] = useState(question.answer)
  const { input, setTyped, draft, busy, submit } = useSentText(AnswerInput, {
    name: mayAnswer ? `answer-${question.id}` : null,
    field: 'answer',
    start: question.answer,
    // An answer that the page does not show yet is not replaced: it is fetched and shown above the field.
    send: (answer) => call(answerQuestion, { params: { id: question.id }, body: { answer, before: question.answer } }),
    done: words.answered,
    changes: [listQuestions, getOwnDemand],
    quiet: true,
    onRestore: () => setEditing(true),
    onSent: (sent, typed) => {
      setOpened(sent)
      setEditing(typed !== sent)
    },
  })
  const open = mayAnswer && (editing || question.answer === '')
  return (
    <li className="panel">
      <p>
        <strong className="pre-line">{question.content}</strong> {question.mine && <Tag tone="blue">{words.mine}</Tag>}{' '}
        <span className="small faint num">{minute(question.askTime)}</span>
      </p>
      {question.answer === '' && !mayAnswer && <p className="small soft">{words.waiting}</p>}
      {question.answer !== '' && (!open || question.answer !== opened) && (
        <p className="pre-line">
          {words.answer}
          {colon(text)}
          {question.answer} <span className="small faint num">{minute(question.answerTime)}</span>{' '}
          {mayAnswer && !open && (
            <button
              type="button"
              className="link"
              onClick={() => {
                // Somebody else may have answered since the page was opened.
                setTyped(question.answer)
                setOpened(question.answer)
                setEditing(true)
              }}
            >
              {words.editAnswer}
            </button>
          )}
        </p>
      )}
      {open && (
        <SubmitForm onSubmit={submit}>
          <TextareaField
            label={words.answer}
            required
            maxLength={1000}
            {...input}
            onChange={(value) => {
              input.onChange(value)
              // The field stays where a colleague answers while something is typed into it.
              setEditing(true)
            }}
          />
          <DraftNote draft={draft} />
          <p>
            <button type="submit" className="button button-small button-primary" aria-disabled={busy}>
              {words.answer}
            </button>
          </p>
        </SubmitForm>
      )}
    </li>
  )
}

function QuestionForm({ demandId }: { demandId: number }) {
  const words = useText().demand.question
  const { input, draft, busy, submit } = useSentText(QuestionInput, {
    name: `question-${demandId}`,
    field: 'content',
    beside: { demandId },
    send: (content) => call(askQuestion, { body: { demandId, content } }),
    done: words.asked,
    changes: [listQuestions, getDemandForLessor],
    quiet: true,
  })
  return (
    <SubmitForm onSubmit={submit}>
      <TextareaField label={words.content} required maxLength={500} {...input} />
      <DraftNote draft={draft} />
      <p>
        <button type="submit" className="button" aria-disabled={busy}>
          {words.ask}
        </button>
      </p>
    </SubmitForm>
  )
}
