import { ReviewList } from '../certification/certification-review-list.tsx'
import { paths } from '#shared/paths.ts'

/** Project departments that name one of the organisation's units as the one above them. */
export default function UnitReviewListPage() {
  return <ReviewList to={paths.unitReview} onlyProjects />
}
