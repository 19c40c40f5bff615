import { ReviewDetail } from '../certification/certification-review.tsx'
import { paths } from '#shared/paths.ts'

export default function UnitReviewPage() {
  return <ReviewDetail back={paths.unitReviews} to={paths.unitReview} />
}
