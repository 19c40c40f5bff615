import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { PublicDemand } from '#shared/demand/contract.ts'
import { toMoment } from '#shared/calendar.ts'
import { answerQuestion, askQuestion, listQuestions, type Question } from '#shared/question/contract.ts'
import { AnswerInput, QuestionInput } from '#shared/question/input.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { askedUntil, mayAsk } from '#shared/question/rules.ts'
import { call } from '../app/api.ts'
import { DraftNote } from '../app/form-bar.tsx'
import { SubmitForm, TextareaField } from '../ui/form-fields.tsx'
import { colon } from '../app/colon.ts'
import { minute } from '../app/format.ts'
import { invalidate } from '../app/queries.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm } from '../app/use-form.ts'

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
  const [answer, setAnswer] = useState(question.answer)
  // The answer with which the field was opened. Another one is that of a colleague, who was faster.
  const [opened, setOpened] = useState(question.answer)
  const form = useForm(AnswerInput)
  const draft = useValuesDraft(
    mayAnswer ? `answer-${question.id}` : null,
    { answer },
    (stored) => {
      setAnswer(stored.answer)
      setEditing(true)
    },
    { quiet: true },
  )
  const send = useMutation({
    mutationFn: (sent: string) => call(answerQuestion, { params: { id: question.id }, body: { answer: sent } }),
    onSuccess: (_, sent) => {
      draft.saved({ answer: sent })
      toast('success', words.answered)
      setOpened(sent)
      setEditing(answer !== sent)
      return invalidate(listQuestions)
    },
    onError: form.refused,
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
                setAnswer(question.answer)
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
        <SubmitForm onSubmit={() => form.check({ answer }) && send.mutate(answer)}>
          <TextareaField
            label={words.answer}
            required
            maxLength={1000}
            value={answer}
            onChange={(value) => {
              setAnswer(value)
              // The field stays where a colleague answers while something is typed into it.
              setEditing(true)
              form.clear('answer')
            }}
            error={form.errors.answer}
          />
          <DraftNote draft={draft} />
          <p>
            <button type="submit" className="button button-small button-primary" aria-disabled={send.isPending}>
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
  const [content, setContent] = useState('')
  const form = useForm(QuestionInput)
  const draft = useValuesDraft(`question-${demandId}`, { content }, (stored) => setContent(stored.content), { quiet: true })
  const send = useMutation({
    mutationFn: (sent: string) => call(askQuestion, { body: { demandId, content: sent } }),
    onSuccess: (_, sent) => {
      toast('success', words.asked)
      // The next question may be typed while this one is sent.
      setContent((now) => (now === sent ? '' : now))
      draft.done({ content: '' }, { content: sent })
      return invalidate(listQuestions)
    },
    onError: form.refused,
  })
  return (
    <SubmitForm onSubmit={() => form.check({ demandId, content }) && send.mutate(content)}>
      <TextareaField
        label={words.content}
        required
        maxLength={500}
        value={content}
        onChange={(value) => {
          setContent(value)
          form.clear('content')
        }}
        error={form.errors.content}
      />
      <DraftNote draft={draft} />
      <p>
        <button type="submit" className="button" aria-disabled={send.isPending}>
          {words.ask}
        </button>
      </p>
    </SubmitForm>
  )
}
