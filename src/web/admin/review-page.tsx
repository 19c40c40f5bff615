import { ReviewDetail } from '../certification/certification-review.tsx'
import { certificationStatus } from '#shared/certification/rules.ts'
import { paths } from '#shared/paths.ts'

export default function AdminReviewPage() {
  return <ReviewDetail back={paths.reviewsIn(certificationStatus.inReview)} to={paths.review} />
}
