import { ReviewDetail } from '../certification/certification-review.tsx'
import { paths } from '#shared/paths.ts'

export default function AdminReviewPage() {
  return <ReviewDetail back={paths.reviewsIn('1')} />
}
