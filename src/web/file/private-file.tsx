import { useEffect, useState, type CSSProperties } from 'react'
import { downloadFile } from '#shared/file/contract.ts'
import { ApiError, download, maySendAgain, privateFile } from '../app/api.ts'
import { colon } from '../app/colon.ts'
import { useText } from '../app/text.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { repeatMs } from '../ui/throttle.ts'
import './private-file.css'

/**
 * A picture that only a request with the token may fetch. Its object URL is revoked once it is read, because one that goes earlier is an error.
 * One that can be turned takes the place of the turned picture.
 */
export function PrivateImage({ id, alt, thumb = true, turn }: { id: string; alt: string; thumb?: boolean; turn?: number }) {
  const { common } = useText().site
  const [source, setSource] = useState<string | null>(null)
  const [failure, setFailure] = useState<ApiError | null>(null)
  const [tries, setTries] = useState(0)
  /** Width by height. */
  const [ratio, setRatio] = useState(1)
  useEffect(() => {
    let gone = false
    privateFile(id, thumb, thumb && tries > 0).then(
      (url) => {
        if (gone) return URL.revokeObjectURL(url)
        setSource(url)
        setFailure(null)
      },
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        if (!gone) setFailure(error)
      },
    )
    return () => {
      gone = true
    }
  }, [id, thumb, tries])
  // A thumbnail may stand in a button, so it is asked for again by itself, unless it was refused.
  useEffect(() => {
    if (!failure || !maySendAgain(failure)) return
    const again = () => setTries((before) => before + 1)
    const later = thumb ? setTimeout(again, 5000) : undefined
    window.addEventListener('online', again)
    return () => {
      clearTimeout(later)
      window.removeEventListener('online', again)
    }
  }, [failure, thumb])
  if (!source && failure)
    return thumb ? (
      <span className="paper-blank" role="img" aria-label={`${alt} ${common.failed}`} />
    ) : (
      <button type="button" className="link" onClick={() => setTries(tries + 1)}>
        {common.retry}
      </button>
    )
  if (!source) return <span className="paper-blank" aria-hidden="true" />
  const revoke = () => URL.revokeObjectURL(source)
  const image = (
    <img
      src={source}
      alt={alt}
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
        revoke()
        setRatio(naturalWidth / naturalHeight)
      }}
      onError={revoke}
    />
  )
  if (turn === undefined) return image
  const isAcross = turn % 180 !== 0
  const place = { '--ratio': isAcross ? 1 / ratio : ratio, '--width': isAcross ? ratio : 1, '--turn': `${turn}deg` }
  return (
    <span className="turned" style={place as CSSProperties}>
      {image}
    </span>
  )
}

/** A document as a thumbnail, which opens large and can be turned. A document that is no picture is downloaded. */
export function FileThumbnail({ fileId, mime, label }: { fileId: string; mime: string; label: string }) {
  const text = useText()
  const { review } = text.certification
  const [open, setOpen] = useState(false)
  const [turn, setTurn] = useState(0)
  if (!mime.startsWith('image/'))
    return (
      <button
        type="button"
        className="paper-thumb paper-file"
        data-repeat-ms={repeatMs}
        onClick={() => void download(downloadFile, { params: { id: fileId }, query: {} }).catch(() => undefined)}
      >
        PDF
        <span className="visually-hidden">{label}</span>
      </button>
    )
  return (
    <>
      <button type="button" className="paper-thumb" aria-label={`${review.zoom}${colon(text)}${label}`} onClick={() => setOpen(true)}>
        <PrivateImage id={fileId} alt="" />
      </button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={label}
        wide
        closeLabel={text.site.action.close}
        actions={
          <button type="button" className="button" data-repeat-ms={0} onClick={() => setTurn((before) => (before + 90) % 360)}>
            {review.rotate}
          </button>
        }
      >
        <div className="paper-large">
          <PrivateImage id={fileId} alt={label} thumb={false} turn={turn} />
        </div>
      </Dialog>
    </>
  )
}
