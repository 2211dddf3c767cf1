"""A network of neurons as a second scorer: trained with PyTorch, run by ONNX Runtime.

Both are imported on use only: a model without a network needs neither of them.
"""
