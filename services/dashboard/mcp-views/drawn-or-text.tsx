import { Component, type ReactNode } from 'react';

type Props = { text: ReactNode; children: ReactNode };

/** The drawing of a record; its text where the record is of a release that the view can't draw. */
export class DrawnOrText extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.text : this.props.children;
  }
}
