import { useState } from 'react'
import { downloadFile } from '#shared/file/contract.ts'
import { download } from '../app/api.ts'
import { PrivateImage } from './paper-parts.tsx'
import { useText } from '../app/text.tsx'

export type ViewedPaper = { key: string; label: string; fileId: string; mime: string }

/** Papers beside what they prove: one large, zoomed and turned; the others as small pictures under it. */
export function PaperViewer({ papers }: { papers: readonly ViewedPaper[] }) {
  const { review } = useText().certification
  const [chosen, setChosen] = useState(0)
  const [zoom, setZoom] = useState(1)
  const [turn, setTurn] = useState(0)
  const paper = papers[Math.min(chosen, papers.length - 1)]
  if (!paper) return null
  const show = (index: number) => {
    setChosen((index + papers.length) % papers.length)
    setZoom(1)
    setTurn(0)
  }
  const isImage = paper.mime.startsWith('image/')
  return (
    <div className="viewer">
      <div className="row between">
        <strong>
          {paper.label}{' '}
          <span className="small faint num">
            {Math.min(chosen, papers.length - 1) + 1} / {papers.length}
          </span>
        </strong>
        <span className="row gap-4">
          {isImage && (
            <>
              <button
                type="button"
                className="button button-small"
                aria-label={review.zoomOut}
                disabled={zoom <= 1}
                onClick={() => setZoom(zoom / 1.5)}
              >
                −
              </button>
              <button
                type="button"
                className="button button-small"
                aria-label={review.zoomIn}
                disabled={zoom >= 5}
                onClick={() => setZoom(zoom * 1.5)}
              >
                +
              </button>
              <button type="button" className="button button-small" onClick={() => setTurn((turn + 90) % 360)}>
                {review.rotate}
              </button>
            </>
          )}
        </span>
      </div>
      <div className="viewer-stage" tabIndex={0} role="group" aria-label={paper.label}>
        {isImage ? (
          <div style={{ width: `${zoom * 100}%` }}>
            <PrivateImage key={paper.fileId} id={paper.fileId} alt={paper.label} thumb={false} turn={turn} />
          </div>
        ) : (
          <button
            type="button"
            className="button"
            onClick={() => void download(downloadFile, { params: { id: paper.fileId }, query: {} }).catch(() => undefined)}
          >
            {review.download}
          </button>
        )}
      </div>
      {papers.length > 1 && (
        <ul className="viewer-strip">
          {papers.map((one, index) => (
            <li key={one.key}>
              <button type="button" aria-label={one.label} aria-pressed={one.key === paper.key} onClick={() => show(index)}>
                {one.mime.startsWith('image/') ? <PrivateImage id={one.fileId} alt="" /> : <span>PDF</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
