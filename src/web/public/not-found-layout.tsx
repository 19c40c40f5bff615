import { data } from 'react-router'

export function loader() {
  // The status goes out with the page; the error boundary of the root shows it.
  throw data(null, { status: 404 })
}

export { NotFound as default } from './not-found-page.tsx'
