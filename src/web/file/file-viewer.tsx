import { useState } from 'react'
import { downloadFile } from '#shared/file/contract.ts'
import { download } from '../app/api.ts'
import { PrivateImage } from './private-file.tsx'
import { useText } from '../app/text.tsx'
import './file-viewer.css'

type ViewedFile = { key: string; label: string; fileId: string; mime: string }

/** Shows one file large, with zoom and turn, above the thumbnails of the others. */
export function FileViewer({ files }: { files: readonly ViewedFile[] }) {
  const { review } = useText().certification
  const [chosen, setChosen] = useState(0)
  const [zoom, setZoom] = useState(1)
  const [turn, setTurn] = useState(0)
  const file = files[Math.min(chosen, files.length - 1)]
  if (!file) return null
  const show = (index: number) => {
    setChosen((index + files.length) % files.length)
    setZoom(1)
    setTurn(0)
  }
  const isImage = file.mime.startsWith('image/')
  return (
    <div className="viewer">
      <div className="row between">
        <strong>
          {file.label}{' '}
          <span className="small faint num">
            {Math.min(chosen, files.length - 1) + 1} / {files.length}
          </span>
        </strong>
        <span className="row gap-4">
          {isImage && (
            <>
              <button
                type="button"
                className="button button-small"
                aria-label={review.zoomOut}
                data-repeat-ms={0}
                disabled={zoom <= 1}
                onClick={() => setZoom(zoom / 1.5)}
              >
                −
              </button>
              <button
                type="button"
                className="button button-small"
                aria-label={review.zoomIn}
                data-repeat-ms={0}
                disabled={zoom >= 5}
                onClick={() => setZoom(zoom * 1.5)}
              >
                +
              </button>
              <button type="button" className="button button-small" data-repeat-ms={0} onClick={() => setTurn((turn + 90) % 360)}>
                {review.rotate}
              </button>
            </>
          )}
        </span>
      </div>
      <div className="viewer-stage" tabIndex={0} role="group" aria-label={file.label}>
        {isImage ? (
          <div style={{ width: `${zoom * 100}%` }}>
            <PrivateImage key={file.fileId} id={file.fileId} alt={file.label} thumb={false} turn={turn} />
          </div>
        ) : (
          <button
            type="button"
            className="button"
            onClick={() => void download(downloadFile, { params: { id: file.fileId }, query: {} }).catch(() => undefined)}
          >
            {review.download}
          </button>
        )}
      </div>
      {files.length > 1 && (
        <ul className="viewer-strip">
          {files.map((one, index) => (
            <li key={one.key}>
              <button type="button" aria-label={one.label} aria-pressed={one.key === file.key} onClick={() => show(index)}>
                {one.mime.startsWith('image/') ? <PrivateImage id={one.fileId} alt="" /> : <span>PDF</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
