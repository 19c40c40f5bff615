import { data } from 'react-router'
import { NotFound } from './not-found.tsx'

/** Answers 404 without throwing, so that the frame of the area, the guard and the session stay as on every other page. */
export const loader = () => data(null, { status: 404 })
export const clientLoader = () => null

export default function MissingPage() {
  return <NotFound />
}
