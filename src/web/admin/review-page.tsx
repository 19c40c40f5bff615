import { ReviewDetail } from '../certification-review.tsx'
import { paths } from '../paths.ts'

export default function AdminReviewPage() {
  return <ReviewDetail back={paths.reviews('?status=1')} />
}
