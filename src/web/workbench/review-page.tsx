import { ReviewDetail } from '../certification-review.tsx'
import { paths } from '../paths.ts'

export default function UnitReviewPage() {
  return <ReviewDetail back={paths.unitReviews} />
}
