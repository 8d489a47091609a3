import {Component, type ReactNode} from 'react';

type ErrorBoundaryProps = {
	readonly onError: (error: unknown) => void;
	readonly children: ReactNode;
};

/** Reports what is thrown while the screens are drawn. Ink would draw its stack, and wait for it with a listener of the process for each UI. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, {readonly hasFailed: boolean}> {
	static getDerivedStateFromError(): {readonly hasFailed: boolean} {
		return {hasFailed: true};
	}

	override state = {hasFailed: false};

	override componentDidCatch(error: unknown): void {
		this.props.onError(error);
	}

	override render(): ReactNode {
		return this.state.hasFailed ? null : this.props.children;
	}
}
