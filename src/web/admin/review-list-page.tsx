import { ReviewList } from '../certification/certification-review-list.tsx'
import { paths } from '#shared/paths.ts'

export default function AdminReviewListPage() {
  return <ReviewList to={paths.review} />
}
