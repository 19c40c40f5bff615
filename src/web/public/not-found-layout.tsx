import { data } from 'react-router'

export function loader() {
  // The thrown status becomes that of the page, which the error boundary of the root renders.
  throw data(null, { status: 404 })
}

export { NotFound as default } from './not-found-page.tsx'
