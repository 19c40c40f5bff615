import { ReviewList } from '../certification/certification-review-list.tsx'
import { paths } from '#shared/paths.ts'

/** Certifications of project departments that name a unit of the organisation as the unit above. */
export default function UnitReviewListPage() {
  return <ReviewList to={paths.unitReview} onlyProjects />
}
