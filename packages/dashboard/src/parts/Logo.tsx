/** A pointer that clicks. */
export const Logo = () => (
  <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
    <path class="pointer" d="M12 11l16 6.5-7 2.8-2.8 7z" />
    <path class="rays" d="M10 3v3M3 10h3M5 5l2 2M15 5l-1.5 1.5M5 15l1.5-1.5" />
  </svg>
)
