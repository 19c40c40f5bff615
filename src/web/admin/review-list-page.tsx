import { ReviewList } from '../certification-review-list.tsx'
import { paths } from '../paths.ts'

export default function AdminReviewListPage() {
  return <ReviewList to={paths.review} />
}
