import { useRef, type ReactNode } from 'react'
import { allProblems, goToMark, useMarks } from './form-marks.ts'
import { useText } from './text.tsx'
import './form-problems.css'

/** Lists at the top of a form what is to be corrected in it, each as the way to its field. Nothing shows while all is well. */
export function FormProblems() {
  const words = useText().demand.form
  const place = useRef<HTMLDivElement>(null)
  const marks = useMarks(place, { within: 'form', marked: allProblems })
  return (
    <div ref={place} className="notice notice-warn form-problems" hidden={marks.length === 0}>
      {marks.length > 0 && (
        <>
          <p>
            <strong>{words.fix(marks.length)}</strong>
          </p>
          <ul>
            {marks.map(({ label, message, element }, index) => (
              <li key={`${label}-${index}`}>
                <button type="button" className="link" onClick={() => goToMark(element)}>
                  {label}
                </button>
                {message && <span className="small"> {message}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** The heading of a section of a form, with the number of its fields that are to be corrected. */
export function MarkedHeading({ children }: { children: ReactNode }) {
  const words = useText().demand.form
  const place = useRef<HTMLHeadingElement>(null)
  const { length } = useMarks(place, { within: 'section', marked: allProblems })
  return (
    <h2 ref={place}>
      {children}
      {length > 0 && (
        <>
          {' '}
          <span className="mark-count num" aria-hidden="true">
            {length}
          </span>
          <span className="visually-hidden"> {words.fix(length)}</span>
        </>
      )}
    </h2>
  )
}
